"""The names and things that invented conversations are made of.

Speakers, people and firms are lists of their own, so a name means one of them only.
"""


def _list(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(",") if item.strip())


SPEAKERS = _list(
    """Agnes, Boris, Celia, Dario, Edda, Farid, Greta, Hamid, Imke, Jonas, Kirsti, Leander, Mirja,
    Nestor, Odile, Pavel, Ragna, Silvio, Tamsin, Ulric, Vesna, Wilbur, Xenia, Yusuf, Zelda, Amadou,
    Beatrix, Corwin, Delphine, Emeka, Fenna, Gideon, Hedda, Ilario, Jolanta, Kwame"""
)

POOLS: dict[str, tuple[str, ...]] = {
    "person": _list(
        """Oskar, Ludmila, Bertrand, Chiara, Dimitri, Eleni, Fabrice, Gunilla, Hakan, Ingrid,
        Jarek, Katalin, Lorcan, Maelle, Nadir, Ottilie, Paolo, Quirin, Rosalba, Stellan, Tereza,
        Ursel, Valentin, Wanda, Yannick, Zdenka, Anselm, Brigida, Caspar, Dorota, Ewald, Filippa,
        Gaspard, Hilde, Ismael, Judit, Konrad, Lilja, Matteo, Noor, Orla, Petra, Rurik, Solveig,
        Thibault, Una, Viggo, Wiebke, Yara, Zoltan, Aurelio, Bodil, Cyprian, Dagny, Enzio, Frauke,
        Gernot, Halina, Ivana, Joris, Kasimir, Leocadia, Marek, Nanette, Onno, Perpetua, Rasmus,
        Sunniva, Torben, Umberto, Verena, Wolfram, Ylva, Zita, Alrik, Benedetta, Clemens, Dafne,
        Egon, Fiorella, Gottlieb, Hanneke, Isidor, Jutta, Klaus, Liselotte, Milos, Nerea, Osvaldo,
        Pelle, Romana, Sixten, Tilda, Urbano, Vilma, Walburga, Ximena, Yorick, Zora, Arvid"""
    ),
    "city": _list(
        """Porto, Braga, Turku, Ghent, Split, Graz, Tartu, Bilbao, Lund, Siena, Kaunas, Leiden,
        Aarhus, Cork, Trieste, Wroclaw, Nantes, Malmo, Zadar, Bergen, Utrecht, Palermo, Gdansk,
        Lucerne, Evora, Kosice, Tampere, Bruges, Granada, Szeged, Galway, Verona, Riga, Dresden,
        Bratislava, Coimbra, Odense, Rouen, Plovdiv, Maribor, Stavanger, Bremen, Lecce, Vilnius,
        Girona, Innsbruck, Cluj, Mostar, Uppsala, Dijon, Patras, Brno, Vaasa, Limerick, Ulm,
        Namur, Pecs, Oulu, Sopot, Rimini, Burgos, Haarlem, Passau, Kotor, Larissa, Avignon"""
    ),
    "country": _list(
        """Iceland, Georgia, Peru, Vietnam, Morocco, Chile, Japan, Nepal, Cuba, Estonia, Jordan,
        Uganda, Bolivia, Laos, Oman, Malta, Ghana, Mongolia, Panama, Tunisia, Armenia, Fiji"""
    ),
    "trade": _list(
        """bookbinder, lift mechanic, dental nurse, tram driver, optician, court clerk,
        pastry chef, piano tuner, land surveyor, set designer, locksmith, glass blower,
        radio editor, harbour pilot, tax inspector, puppet maker, map printer, cheese monger,
        sound engineer, roof tiler, museum guard, crane operator, school cook, botanist,
        violin maker, ferry captain, weather presenter, shoemaker, archivist, mountain guide"""
    ),
    "pet": _list(
        """Biscuit, Pepper, Mochi, Nutmeg, Waffles, Pickle, Tofu, Marble, Button, Sesame, Pretzel,
        Domino, Truffle, Pudding, Clover, Radish, Ziggy, Dumpling, Bramble, Cricket, Noodle,
        Sprocket, Olive, Muffin, Gizmo, Turnip, Figaro, Peanut, Comet, Barnaby"""
    ),
    "animal": _list(
        """tortoise, ferret, parrot, greyhound, goat, hedgehog, gecko, donkey, rabbit, canary,
        llama, chinchilla, goose, poodle, pony, iguana, spaniel, hamster, magpie, alpaca"""
    ),
    "food": _list(
        """walnuts, shellfish, celery, kiwi, mustard, sesame paste, strawberries, soy, lupin,
        peaches,        eggs, hazelnuts, mango, oysters, buckwheat, figs"""
    ),
    "instrument": _list(
        """cello, banjo, oboe, accordion, harp, trombone, mandolin, clarinet, viola, ukulele,
        bassoon, marimba, bagpipes, zither, French horn, double bass, harmonica, theremin"""
    ),
    "sport": _list(
        """fencing, badminton, curling, archery, water polo, bouldering, judo, rowing, handball,
        tango, trampolining, squash, synchronised swimming, kickboxing, lacrosse, pole vaulting"""
    ),
    "title": _list(
        """The Salt Ledger, Nine Quiet Harbours, A Fox for Winter, The Paper Orchard, Under Tin
        Skies, The Last Lamplighter, Marrow and Moss, The Borrowed Coast, Glass Mondays, A Map
        of Soot, The Clockmaker's Niece, Seven Wet Summers, The Hollow Ferry, Letters to a
        Heron, Copper Rain, The Unpainted Room, Swimming to Elba, The Beekeeper's Oath, Low Tide
        Hotel, An Atlas of Doors, The Ash Violin, Three Cold Suppers, The Moth Tax, Winter in
        the Lift"""
    ),
    "joint": _list(
        "knee, shoulder, ankle, elbow, wrist, hip, lower back, neck, jaw, big toe, heel, thumb"
    ),
    "colour": _list(
        """mustard yellow, bottle green, crimson, navy blue, lilac, pale orange, teal, charcoal,
        ivory, burgundy, turquoise, rust red, mint, plum, cobalt, coral"""
    ),
    "vehicle": _list(
        """tandem, cargo bike, kayak, camper van, moped, dinghy, unicycle, sidecar, rowing boat,
        electric scooter, pickup, folding bike, sledge, canoe, hearse, tricycle"""
    ),
    "gadget": _list(
        """espresso machine, telescope, sewing machine, bread oven, film camera, record player,
        synthesiser, pizza stone, microscope, weaving loom, typewriter, metal detector,
        pottery wheel, drone, leather armchair, slide projector, chess clock, hammock"""
    ),
    "hotel": _list(
        """Hotel Miramar, the Blue Anchor, Pension Adler, the Grand Lido, Casa Limone,
        the Lighthouse Inn, Villa Serena, the Stag's Head, Hostel Nord, the Old Mill, Riad Zahra,
        the Pine Lodge, Hotel Meridian, the Harp and Crown, Albergo Sole, the Snow Goose"""
    ),
    "firm": _list(
        """Lantern & Loaf, the Crooked Spoon, Bluebell Books, Tin Roof Records, the Knotty Thread,
        Marzipan House, Fern and Fable, the Iron Kettle, Velvet Cycle Works, Salt & Cedar,
        the Paper Crane, Juniper Glassworks, the Quiet Plum, Orbit Toys, the Brass Teapot,
        Moonfish Diner, the Woolly Goat, Saffron Yard, Copper Leaf Press, the Lazy Otter"""
    ),
    "street": _list(
        """Tanner Street, Lime Quay, Chapel Row, Foundry Lane, Orchard Hill, Mill Parade,
        Weaver Alley, Castle Rise, Fishergate, Poplar Avenue, Bishop's Walk, Canal Terrace,
        Barley Court, Station Steps, Cooper Square, Rose Embankment, Saddler Way, Vine Close"""
    ),
    "dish": _list(
        """mushroom risotto, lentil dal, onion tart, fish stew, beetroot dumplings, okra curry,
        potato gratin, plum cake, ramen, paella, goulash, spinach pie, cheese souffle, borscht,
        tamales, pierogi, moussaka, gnocchi, laksa, shakshuka"""
    ),
    "plant": _list(
        """rosemary, a lemon tree, sweet peas, a fig, chillies, lavender, a dwarf apple, thyme,
        geraniums, a jasmine, strawberry pots, chard, a clematis, mint tubs, dahlias, a hop vine"""
    ),
    "museum": _list(
        """tram museum, salt museum, lighthouse museum, puppet museum, cork museum, clock museum,
        carpet museum, whaling museum, chocolate museum, printing museum, mining museum,
        umbrella museum, tattoo museum, lace museum, radio museum, ski museum"""
    ),
    "language": _list(
        """Basque, Catalan, Finnish, Swahili, Welsh, Turkish, Tagalog, Hungarian, Persian, Maltese,
        Georgian, Korean, Quechua, Slovene, Amharic, Frisian, Yiddish, Tamil"""
    ),
    "fear": _list(
        """escalators, moths, balloons, thunder, deep water, clowns, needles, cable cars, wasps,
        tunnels, pigeons, elevators, masks, bridges, ladders, owls"""
    ),
    "craft": _list(
        """basket weaving, ice sculpture, glass painting, wood carving, cartoon drawing,
        fire juggling, bell ringing, calligraphy, quilting, topiary, beatboxing, falconry,
        origami, sand animation, yodelling, stone stacking"""
    ),
    "clock": tuple(f"{hour}:{minute:02d}" for hour in range(6, 23) for minute in range(5, 60, 10)),
    "tens": tuple(str(number) for number in range(41, 160)),
    "hundreds": tuple(str(number) for number in range(410, 1490, 15)),
    "few": _list("two, three, four, five, six, seven, eight, nine"),
    "locker": tuple(str(number) for number in range(112, 990, 7)),
    "gift": _list(
        """a pocket watch, a silk scarf, a jigsaw, a fountain pen, a cactus, a fondue set, a kite,
        a globe, wool socks, a music box, a tea caddy, a pepper mill, a snow dome, a bird feeder"""
    ),
}
