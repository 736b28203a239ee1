"""The talk around what there is to know about a speaker, what is shown and who is known."""

from clew.datasets.invented.talk import read

TALK = read(
    """
    home
    ? Did all the cardboard survive the move?
    ? Have you settled in, or is it still chaos?
    ? How are things with the new roof over your head?
    > It must be strange to wake up somewhere else. / It is, I still look for the light switch.
    > Then I have to find out how the buses get me there. / One every half hour, you will manage.
    > Let me know when you give a housewarming. / As soon as I own more than a single chair.
    = So where do you put your head down at night these days? / {value}, since you ask.

    job
    ? How did you get through the week?
    ? You look tired, do they let you sit down at all?
    ? What do you tell people who ask what you are up to?
    > I hope the colleagues are kind. / They are, there is always cake.
    > And does it pay enough for a holiday? / Barely, but I sleep well.
    > Not everybody could learn that. / Patience is half of it.
    = And what pays the bills at your end? / Shifts as a {value}, mostly.

    rent
    ? Why so pale, bad news about the flat?
    ? Does the roof over your head still ruin you?
    ? What does your bank account look like these days?
    > That is a lot for so few windows. / The heating is included, at least.
    > You could ask for a paper that explains it. / I did, it was all small print.
    > No wonder you never eat out. / Cooking has its charm.
    = Is your place expensive? / {value}, so you tell me.

    train
    ? Will you stay for a drink after closing?
    ? Do you have to rush off again?
    ? How is life as a commuter?
    > The platform has a roof, I hope. / A roof with holes, but yes.
    > And if you miss it? / Then I sit on a cold bench with a newspaper.
    > Do you ever get a seat? / Only by the door, on my bag.
    = Which one do you take after work? / The {value}, if my legs allow.

    run
    ? Have you been out in your running shoes?
    ? Did you manage the whole round?
    ? Is the training going anywhere?
    > Are your legs still talking to you? / Only in complaints.
    > My compliments, I would need a bus. / Join me, we will go slowly.
    > With that you leave half the park behind. / The other half has longer legs.
    = How did the loop by the water go? / {value} and a stitch in my side.

    hens
    ? How are things out in the yard?
    ? Is the fox leaving you alone?
    ? Do the birds behave?
    > Breakfast is safe, then. / It is, and the neighbours get some.
    > And they all get on with each other? / There is a pecking order, believe me.
    > They are lucky to have that much grass. / They have turned most of it into dust.
    = How full is the coop? / {value} by now.

    class
    ? Why is your bag so heavy?
    ? Are you still so keen on your training?
    ? What is that bruise on your shin?
    > I would be on the floor after the warm-up. / So was I, it passes.
    > Is there a trainer who shouts at you? / Only when I yawn.
    > It keeps you young, I suppose. / My muscles beg to differ.
    = What do you do to stay in shape? / {value}, what else.

    cat
    ? How is the furry lodger?
    ? Is there any peace with whiskers in the house?
    > I bet the sofa is in shreds. / We have given up on the sofa.
    > And who is the boss? / Not me, never me.
    = What name did you give your furry lodger? / {value}, do not laugh.

    dog
    ? How was the walk?
    ? Why is there mud all over your coat?
    > A good brush and some patience, I would say. / And an old towel by the door.
    > He has you well trained. / I fetch, he watches.
    = Who was barking in the background? / That would be {value}.

    allergy
    ? Did you enjoy the buffet?
    ? Why did you push your plate away?
    > That sounds frightening, is help near? / It is, and I know the number by heart.
    > I will read every label before you come round. / You are kind, most hosts forget.
    = Is there anything I should leave out when I cook for you? / No {value}, please.

    music
    ? Do you practise every evening?
    ? How are the lessons?
    > It takes years, they say, before it sounds right. / Then I have a few to go.
    > Have you thought of thick curtains? / I have, and of a cellar.
    = What was that noise when you picked up the phone? / The {value}, I fear.

    novel
    ? Why are there rings under your eyes?
    ? Is there a story that you would pass on to me?
    > Do not tell me how it ends. / I will not say a word.
    > Put it aside for me, will you? / It comes with stains, be warned.
    = Anything good on your bedside table? / {value}, hide your alarm clock.

    pain
    ? Are you limping?
    ? How do you feel, any better?
    > Did you have it looked at? / They say rest, and I am bad at that.
    > A hot bath works wonders. / I have been in one for hours.
    = Why are you walking like a penguin? / My {value}, it is a disgrace.

    door
    ? What are those stains on your trousers?
    ? Are you done with the brushes?
    > It makes a good impression, I am sure. / People stop and nod.
    > Let us hope it dries before the rain. / I sit beside it with a hair dryer.
    = Which tin did you take in the end, for the outside? / The {value}, it is bold.

    treat
    ? What was in that enormous parcel?
    ? Did you spoil yourself after all?
    > It will pay for itself, you will see. / In about a century.
    > You have wanted that for ages. / And I regret nothing.
    = What did the bonus go on? / A {value}, no regrets.

    stay
    ? How was the trip?
    ? Did you come back rested?
    > You should write a review. / I started, it got too long.
    > The view was included, I hope? / If you leaned out far enough.
    = Did you find a decent bed at the coast? / At {value}, of all places.

    nephews
    ? Why are there crayon marks on your wall?
    ? Do you ever get a quiet weekend?
    > You must need nerves of steel. / And a mountain of pasta.
    > They adore you, admit it. / I have the sweets, that is why.

    locker
    ? Are you off for a swim?
    ? Did you find your towel?
    > You could write it on your hand. / It washes off, I tried.
    > Do they still charge a coin for the key? / A coin, and they keep it.
    = Where at the baths did you leave the goggles? / In {value}, behind the towel.

    wheels
    ? How do you get about these days?
    ? Did you find a corner to park in?
    > That suits you, honestly. / The street has got used to it.
    > Is it hard to look after? / A little oil and kind words.
    = How did you get here so fast? / With my {value} and a tail wind.

    phobia
    ? You went quite pale, what was it?
    ? Why did you stay behind?
    > There is no shame in that. / The others see it differently.
    > Breathe slowly, that helps, I hear. / I do, and I count backwards.
    = Why did you take the long way round? / Because of {value}, you may laugh.

    photo-ride
    ? What was that rattle in the yard?
    ? You sound out of breath, what is it?
    > Oh, may I have a go? / When I have learnt it myself.
    > Where will you put that? / I have no idea yet.

    photo-dinner
    ? Did you order something in again?
    ? What smells so good at your place?
    > I am coming over with a fork. / Hurry, it will not last.
    > That looks better than in any restaurant. / You should see the sink, though.

    photo-guest
    ? Who is that at your feet?
    ? Did you walk back on your own?
    > Somebody must be missing it. / I have put a note on the fence.
    > Do not feed it, or it stays. / Too late for that.

    photo-gift
    ? Did the courier come?
    ? What is under all that paper?
    > How thoughtful, somebody knows you well. / I have no idea who it was.
    > You must send a card at once. / I am looking for a stamp.

    intro
    ? Who was that on the phone?
    ? Why are you in such a hurry?
    ? Whom do you keep talking about?
    ? Who has been so good to you?
    ? Is there somebody you can rely on?
    ? What is that name on your calendar?
    > You are lucky to know such a person. / I say so every time.
    > I would like to shake hands one day. / I will see what I can do.
    > Do say hello from me. / I will, with pleasure.
    > Good people are hard to find. / And harder to keep.
    > So that is the name I keep hearing. / You will hear it again.
    > It is good to have somebody like that. / You never know when you need them.

    deed-city
    ? Did {name} sign anything in the end?
    ? What became of {name}'s big plans?
    > That takes courage. / And a good deal of money.
    > I hope the rooms are dry and bright. / Bright for sure, the rest is a mystery.

    deed-animal
    ? Is {name} still alone in that big flat?
    ? What is new with {name}?
    > That will bring some life into the rooms. / And some holes into the cushions.
    > I hope somebody explained how to feed it. / There was a leaflet of sorts.

    deed-craft
    ? Has {name} got something to celebrate?
    ? Does {name} still spend every evening practising?
    > All those evenings paid off. / They did, and the shelf looks grand.
    > I would have liked to watch. / There will be another round.

    deed-country
    ? Did {name} tell you anything about the early years?
    ? What did you hear from {name}?
    > That explains the songs. / And the way of making coffee.
    > It is a long way from there. / A long way, and no way back.

    deed-trade
    ? Any gossip about {name}?
    ? Why was {name} so secretive?
    > And nobody was invited? / Not a soul, they kept it small.
    > Then there is a steady income in the house. / So one would hope.

    deed-fear
    ? Why did {name} turn round so suddenly?
    ? Is {name} coming on our excursion?
    > Poor soul, one must not joke about that. / I did not, I offered an arm.
    > It may pass with time. / So everybody says.

    deed-language
    ? Has {name} got hidden talents?
    ? Was {name} any help with the guests?
    > It must have taken years of study. / Or a good pair of ears.
    > I am full of envy. / So am I, I only caught the hello.

    owning
    ? What is {name} up to?
    ? Does {name} ever take a day off?
    ? How does {name} make ends meet?
    > That means long days and little sleep. / And a till that never balances.
    > Brave, in times like these. / Somebody has to be.
    > I will bring all my friends. / The more the better.

    standing
    ? Is {name} still going strong?
    ? Have you been to {name} again?
    ? Did you find {name}?
    > I must have walked past it. / Most people do, it is easily missed.
    > Good, I can get there on foot. / Then bring me something.
    > Do they open early? / Before you are awake.

    found
    ? Did you bring anything back from your trip?
    ? What were you hauling up the stairs?
    > You have an eye for such things. / I only have strong arms.
    > Does it still do what it should? / After some cleaning, yes.

    sold
    ? Did you have a good evening?
    ? What puts you in such a mood?
    > I am glad it found a good owner. / I take care of it, I promise.
    > I do miss it a little. / You can visit it any time.
    """
)
