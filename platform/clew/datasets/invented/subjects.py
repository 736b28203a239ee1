"""What small talk is about, each with things that go with it.

Some of it is close to what questions are about, and answers none of them.
"""

from collections.abc import Sequence


def _read(text: str) -> dict[str, Sequence[str]]:
    """Return the things that go with each subject: `subject: thing; thing`."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    return {subject: kin.split("; ") for subject, _, kin in lines}


SUBJECTS = _read(
    """
    the price of butter: the dairy shelf; margarine in disguise
    the new traffic lights: the long red phase; drivers who hoot
    daylight saving: clocks that nobody resets; waking in the dark
    paper straws: soggy cardboard in the glass; plastic in the sea
    crossword clues: the last empty square; anagrams
    the weather forecast: rain that never came; the man with the pointer
    queueing: elbows at the till; people who push in
    umbrellas: gusts at the corner; wet sleeves
    old proverbs: early worms; rolling stones
    card games: sore losers; shuffling
    the moon: tides; the face in the craters
    shop windows: dummies without heads; sale signs
    road works: orange cones; detours
    ironing: creases in collars; the hiss of steam
    lost gloves: single hands on a fence; frozen fingers
    folding maps: the wrong crease; navigators on paper
    ghost stories: creaking floorboards; candles that go out
    long meetings: slides without end; minutes nobody reads
    pancakes: batter on the ceiling; maple syrup
    riddles: the sphinx; answers that rhyme
    recycling: bins of every kind; jars with labels on
    the town clock: the chime at noon; hands that stick
    autumn leaves: rakes; piles to jump into
    static hair: woollen hats; little sparks from the comb
    instruction manuals: the missing screw; arrows that lead nowhere
    opera plots: sopranos who take ages to die; secret twins
    wallpaper: paste on the elbows; stripes that do not meet
    small change: coins behind the sofa; vending machines
    zips that jam: winter coats; cloth caught in the teeth
    advertising jingles: tunes that stick; shampoo on the radio
    tin openers: sharp lids; sardines
    snoring: pillows over the ears; noses that whistle
    paper planes: sharp folds; teachers with their backs turned
    bad puns: groans all round; jokes from crackers
    sock drawers: odd pairs; holes at the heel
    hiccups: holding your breath; a fright at the right moment
    power cuts: torches without batteries; melting ice cream
    the metric system: inches; recipes in cups
    jigsaw corners: a missing piece of sky; the lid of the box
    revolving doors: lobbies that spin you out; the man who pushes too hard
    postage stamps: the taste of glue; albums in the attic
    lift music: panpipes; the awkward silence between floors
    sandcastles: plastic spades; the tide that takes it all
    board games: rules that nobody reads; dice under the cupboard
    the night sky: street lamps that spoil it; shooting stars
    steam engines: soot on the nose; the whistle
    crooked pictures: a spirit level; nails in the wrong place
    spelling: silent letters; commas
    haunted houses: cobwebs; doors that slam
    pen caps: ink in the pocket; teeth marks
    moving vans and cardboard: sticky tape; lamps without a shade
    landlords and their lists: house rules; deposits
    scales and practice rooms: metronomes; thin walls
    platforms and delays: announcements that crackle; missed connections
    job interviews: firm handshakes; questions about weaknesses
    evening classes: chairs that are too small; homework at any age
    traffic wardens: chalk on the tyres; wipers with paper under them
    cats and their moods: scratched furniture; the bowl that is empty
    walking dogs in the rain: the smell of wet fur; puddles
    keeping poultry: feathers; the noise at dawn
    book clubs: members who skip to the end; wine and dog-eared pages
    hotels with thin walls: other people's alarm clocks; pillows like bricks
    allergies in spring: tissues; sneezing fits
    cold showers: blue toes; people who call it healthy
    viewings and estate agents: charm that means no heating; crowds on the stairs
    souvenirs from abroad: magnets on the fridge; customs officers
    balcony furniture: rust; cushions that blow away
    dictionaries and accents: false friends; rolled consonants
    driving schools: stalling at the lights; reversing into a gap
    weddings in the rain: muddy hems; speeches in a tent
    stretching before a run: tight calves; joggers at the crossing
    embassies and queues: numbered tickets; forms in triplicate
    school reports: red ink; gold stars
    being brave: butterflies in the stomach; spiders in the bath
    yoga mats: the lotus position; instructors who whisper
    waiting rooms and their music: magazines from another age; the sound of the drill
    family dinners: the good china; the seating plan
    local newspapers: misprints; small ads
    animal documentaries: penguins on the march; that deep voice
    chlorine: red eyes; verrucas
    hospital food: jelly; trays on wheels
    organ recitals: hard pews; pipes that wheeze
    cooking shows: sauces that never curdle; chefs who shout
    guided tours: raised flags; sore feet
    bicycle lanes: bells behind you; parked lorries in the way
    garage sales: haggling; boxes of old records
    bandages and crutches: itching; signatures in felt pen
    front gardens: gnomes; hedges cut to the millimetre
    savings accounts: interest; piggy banks
    """
)
NOISES = _read(
    """
    hammering: dowels; shelves that will not hold
    a brass band: puffed cheeks; polished tubas
    a car alarm: flashing lights; owners who sleep through it
    church bells: ropes in the tower; Sunday hats
    a lawnmower: blades of grass on the doormat; petrol fumes
    a helicopter: whirling dust; searchlights
    drumming: broken sticks; rhythm in the floor
    an ice-cream van: sticky wrists; sprinkles
    a street sweeper: brushes that spin; gutters
    seagulls: stolen chips; white splashes on the windscreen
    a squeaky gate: a drop of oil; hinges
    a marching song: boots in step; flags on a pole
    """
)
DRINKS = _read(
    """
    black tea: a pinch of sugar; the kettle
    hot chocolate: milk moustaches; whipped cream
    a strong coffee: grounds in the filter; trembling hands
    lemonade: pips in the glass; sour faces
    ginger tea: a scratchy throat; honey on a spoon
    cold milk: white moustaches; an empty fridge
    cider: orchards; wasps round the glass
    mulled wine: cloves; the Christmas market
    iced tea: clinking cubes; long straws
    tomato juice: a shake of pepper; passengers in the air
    malt beer: froth on the lip; bottle caps
    elderflower syrup: white umbels; sticky bottles
    """
)
SKIES = _read(
    """
    drizzle: damp collars; hoods
    fog: headlamps; horns from the river
    heat: fans that only stir it; melted tar
    wind: shutters that bang; hats in flight
    sleet: slippery steps; cars in a ditch
    frost: scrapers on the windscreen; flowers on the panes
    sunshine: freckles; deckchairs
    hail: dents in the bonnet; drumming on the roof
    damp: mould in the corner; clammy sheets
    dust: feather dusters; sneezing
    mist: wet cobwebs; lost hills
    snow: shovels; footprints on the lawn
    """
)
