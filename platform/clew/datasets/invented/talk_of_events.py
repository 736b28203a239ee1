"""The talk around what happened, what happens again, and remarks something follows from."""

from clew.datasets.invented.talk import read

TALK = read(
    """
    teeth
    ? Why do you mumble like that?
    ? What happened to your cheeks?
    > Soup and rest, that is all you need. / I have run out of soup.
    > Does it throb a lot? / Only when I laugh.

    licence
    ? How did the test go?
    ? Did the lessons pay off?
    > Then you can fetch me from the station. / Let me learn to park before that.
    > The examiner was kind, I hope? / He held on to the seat.

    thesis
    ? What happened to that mountain of paper?
    ? Have you slept at all?
    > What a weight off your mind. / I do not know what to do with my evenings.
    > So it is the professors who suffer now. / Let them, I did.

    ankle
    ? Why did you come by lift?
    ? What is the matter with your leg?
    > Put it up on a cushion. / It is up, and I am bored.
    > They should mend that pavement. / I have written to the council.

    tree
    ? Why is there earth under your nails?
    ? What did you need the spade for?
    > In a few years there will be jam. / If the birds leave any.
    > I hope you water it well. / A can every evening.

    glider
    ? Why are you beaming like that?
    ? Was it as quiet as they say?
    > And it simply stays up there? / As long as the air is warm.
    > What could you see? / Fields like a quilt.

    smoking
    ? Why are you chewing gum all the time?
    ? Have you been to the kiosk?
    > Your lungs will thank you. / My temper does not, so far.
    > What do you do with your hands? / I peel oranges.

    boat
    ? Why so wistful?
    ? What did you do at the harbour?
    > You spent so many summers on it. / And more winters scraping it.
    > I hope it went to kind hands. / A young couple, they kissed the mast.

    talk
    ? How did it go on the stage?
    ? Did they clap?
    > Nobody notices such things. / My mouth was dry as chalk.
    > Next time take a card with you. / I had one, upside down.

    exhibition
    ? Did the frames arrive in time?
    ? Has anyone seen your pictures?
    > I will come and look at every one. / Bring a chair, there are many.
    > Were people kind about it? / Some stood there for a long while.

    burglary
    ? Why is there a new lock?
    ? What did the police want?
    > How dreadful, is everybody unharmed? / Yes, only shaken.
    > I hope you are insured. / I am, they want lists of everything.

    reunion
    ? Did you recognise anybody?
    ? Who are the people in that picture?
    > Everyone gets older, it seems. / Except the teachers.
    > Was there dancing? / Until the lights went out.

    tattoo
    ? What is under your sleeve?
    ? Did you go through with it?
    > That must have stung. / Like a sunburn with a grudge.
    > It will be with you for life. / That was the idea.

    sauna
    ? Are you still hammering in the garden?
    ? Do we get to sweat soon?
    > I will bring the towels. / And I have the birch twigs.
    > Mind the stove, it gets fierce. / I have a bucket next to it.

    proposal
    ? What is that sparkle in your eye?
    ? Did you dare to ask?
    > I could hug you! / Wait until you see us dance.
    > Then we need a toast. / The bottle is on ice.

    choir
    ? Why is your voice so hoarse?
    ? Did all the rehearsals help?
    > I am told the echo there is wonderful. / It forgives every wrong note.
    > Did your legs shake? / Until the organ began.

    flood
    ? Why are you in rubber boots?
    ? What is that smell of damp?
    > Did you save the boxes? / The upper shelves, yes.
    > You need a proper pump. / I have borrowed one.

    glasses
    ? Did they test your eyes?
    ? What is different about your face?
    > They make you look clever. / They pinch behind the ears.
    > So can you read the signs? / Every leaf in the park, too.

    marathon
    ? Why are you going down the steps backwards?
    ? How do your legs feel?
    > You deserve a medal and a mattress. / The medal I have.
    > I would not do that for money. / Nor would I, come to think of it.

    loan
    ? Why the sparkling wine?
    ? You look relieved, what happened?
    > So you can breathe again. / And buy shoes without guilt.
    > That took discipline. / And a lot of lentils.

    surgery
    ? Did they give you an appointment?
    ? Are you frightened?
    > I will keep my phone on. / That is good to know.
    > They do this all the time. / So they tell me.

    flight
    ? Is your suitcase ready?
    ? Why are there socks all over the floor?
    > Do not forget your charger. / It goes in first.
    > Send a postcard. / I always do.

    audition
    ? Why are you humming all the time?
    ? How are the nerves?
    > You know every bar by heart. / Until somebody looks at me.
    > Breathe, and think of the ending. / The ending is the hard part.

    inlaws
    ? Why are you scrubbing the floor?
    ? What is the big pot for?
    > Offer them cake, that works. / There will be nothing but cake.
    > They like you, really. / They like my parking space.

    hearing
    ? Why did you press the suit?
    ? Did the letter come from the lawyer?
    > Just tell it the way it was. / That is my whole plan.
    > You have done nothing wrong. / It was the other car.

    visa
    ? How far are you with the paperwork?
    ? Do you have all the forms?
    > Let us hope the clerk is in a good mood. / I smiled in the photo, as far as one may.
    > They are slow, I hear. / I have heard that as well.

    visa-end
    ? Did they send your passport back?
    ? Why are you jumping up and down?
    > Then nothing keeps you here. / Only my houseplants.
    > I told you it would work out. / You did, and I was sour about it.

    cast
    ? What did the picture of the bone show?
    ? Why can you not shake hands?
    > May I draw on it? / There is room under the flowers.
    > Who ties your shoes? / I go about in slippers.

    cast-end
    ? Can you scratch again?
    ? How is the bone?
    > It needs exercise, I suppose. / I squeeze a ball all day.
    > So you can do the dishes again. / I knew you would say that.

    jumper
    ? What is in that basket of wool?
    ? What do you do with your hands in the evening?
    > Is it a difficult pattern? / There are cables, I curse a lot.
    > What colour is the wool? / Something between moss and mud.

    jumper-end
    ? Is that wool still on your lap?
    ? Is it ready to wear?
    > I want to see it on you. / It itches, but it fits.
    > And the pattern came out right? / From a distance, yes.

    kitchen
    ? What is all that dust?
    ? What is the drilling in the background?
    > So where do you wash up? / In the bath, like savages.
    > You can eat at my place. / I may take you up on that.

    kitchen-end
    ? Are the workmen gone?
    ? Is the dust gone from your place?
    > Invite me to a proper meal. / You will be the guest of honour.
    > It was worth all that noise. / Ask the neighbours.

    exam
    ? How did it go in that hall?
    ? Is your hand sore from all that ink?
    > You must be worn out. / I slept like a stone.
    > So the waiting begins. / I try not to think of it.

    exam-end
    ? Did the postman bring it?
    ? What did you open with shaking hands?
    > I never doubted you. / I did, every night.
    > Then I shall call you counsellor. / Say it again.

    cure
    ? Why did you turn down the cake?
    ? What is your new resolution?
    > That takes will power. / Ask me again at the bakery.
    > And how is your temper? / Ask the people around me.

    cure-end
    ? Did you hold out?
    ? What are those crumbs on your chin?
    > Nobody is made of stone. / It had sprinkles, what could I do.
    > Was it good, at least? / It was heaven.

    refusals
    ? Any word on your manuscript?
    ? What was in the envelope?
    ? Why the long face?
    ? Did they write back?
    > Their loss, if you ask me. / I will tell the drawer.
    > Many great authors began like that. / So did many bad ones.
    > Send it to somebody else at once. / I need fresh stamps.
    > Did they give a reason? / Something about the market.

    fines
    ? How was the drive into town?
    ? Did you find a space for the car?
    ? Why are you swearing?
    ? Is everything all right with the car?
    > They must live on you. / I keep the town hall going.
    > The bus would be cheaper. / Do not rub it in.
    > Could you not argue? / I tried, there was only a shrug.
    > They lurk behind the corner. / With a sharp pencil.

    blood
    ? Why is your sleeve rolled up?
    ? You look a little pale, are you well?
    ? What is that plaster for?
    ? Have you done your good deed?
    > Somebody will be grateful. / I hope so.
    > Drink plenty, then. / There was juice, too.
    > Did it sting? / Only the tape, afterwards.
    > I admire that. / It is just lying down.

    lake
    ? Why are your lips blue?
    ? Have you warmed up?
    ? Were you down at the shore?
    ? What keeps you so awake?
    > You will catch your death. / I never felt better.
    > Wrap up warm, please. / I have wool up to my chin.
    > Who in their right mind does that? / We are quite a crowd by now.
    > Do you scream? / Only the ducks do.

    flats
    ? How is the search going?
    ? Did you get to look inside?
    ? Any luck with the agents?
    ? What is the housing market like?
    > The right one will come. / I tell myself that on every landing.
    > Were the neighbours nice, at least? / They looked at my shoes.
    > They ask for the moon these days. / And a bank statement to go with it.
    > Did you leave your details? / On a list as long as my arm.

    cakes
    ? What is that smoke?
    ? Is there something sweet for the guests?
    ? How did it go with the recipe?
    ? Why are all your windows open?
    > Maybe the oven is too hot. / Or the cook is too slow.
    > The birds will take it. / Even the birds looked away.
    > Buy one next time, nobody will know. / They would, it would be edible.
    > Try a lower shelf. / There is only that one.
    """
)
