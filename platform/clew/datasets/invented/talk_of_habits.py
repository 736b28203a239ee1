"""The talk around what comes up bit by bit, and around remarks something follows from."""

from clew.datasets.invented.talk import read

TALK = read(
    """
    travels
    ? Did the plane land on time?
    ? You are so tanned, where were you?
    ? Are you back at last?
    ? Was it worth the money?
    > I want to hear everything. / Bring snacks, it takes a while.
    > Did you eat anything odd? / I did not ask what it was.
    > And the people? / Kinder than at our station.
    > You will have a box full of pictures. / I have not sorted them.

    cooking
    ? Who was at the stove?
    ? What did you feed them?
    ? Why is there flour in your hair?
    ? Did you try a new recipe?
    > Was anything left over? / Not a crumb.
    > You could open a restaurant. / With a single table, maybe.
    > Was it much effort? / Mostly chopping.
    > Next time I want to be invited. / Bring your own spoon.

    balcony
    ? How is your little jungle?
    ? What did you get at the garden centre?
    ? Is there space left up there?
    ? Are your fingers green yet?
    > I hope there is enough sun. / Until noon, then the wall is in the way.
    > The bees will love you. / They have moved in.
    > And who waters it all? / I do, with a teapot.
    > Mind the wind up there. / I tied everything down.

    museums
    ? How did you spend the day off?
    ? Did you stay dry?
    ? What did you do with all that time?
    ? Did you learn anything?
    > I never knew there was such a thing. / Neither did the bus driver.
    > Was it very dusty? / Less than my own flat.
    > How long can one look at that? / Longer than you would think.
    > Is there a cafe, at least? / With very good tea.

    tongues
    ? How did you get on with the locals?
    ? Where did you pick that up?
    ? Were you mumbling in your sleep?
    ? Do you still do your vocabulary?
    > The grammar must be a nightmare. / One stops noticing.
    > Say something nice to me. / You would not like the sound of it.
    > People must be surprised. / They slow down and smile.
    > Your accent is charming, I am sure. / It makes people giggle.

    shelf
    ? What did you do on the sofa all weekend?
    ? Is the pile by your bed getting smaller?
    ? Did you get to the end?
    ? What was sticking out of your bag?
    > Was it sad? / In places, and then not at all.
    > Is it thick? / Thick enough to prop a window.
    > May I borrow it after you? / There is a queue.
    > Would I like it? / Hard to say, it has long chapters.

    heights
    ? Did you change the light bulb?
    ? How was the outing?
    > I will come and hold on to you. / You are kind.
    > One should not look down. / So they say.

    crowds
    ? How was your evening?
    ? Did you stay long?
    > I hope the headache is gone. / Almost, thank you.
    > Did they mind? / They know me.

    dawn
    ? How do you sleep?
    ? Are you awake already?
    > How do you manage that? / Do not ask me.
    > The birds must be your friends. / They have not said so.

    meat
    ? What did you have for lunch?
    ? Was there enough on the grill?
    > And the others do not tease you? / Let them.
    > I will think of that when I set the table. / How kind.

    sea
    ? How was it on board?
    ? Did you enjoy the water?
    > Ginger is supposed to help. / I have heard that too.
    > Keep your eyes on the horizon. / I shall try.

    thrift
    ? How do you get by these days?
    ? Did you go to the shops?
    > It adds up over the years. / So I am told.
    > You could teach a class in that. / Nobody would come.

    stars
    ? Why are you yawning?
    ? Was it clear enough?
    > It must have been chilly. / I had a flask.
    > I would have listened. / Another time, then.

    screens
    ? Did you get my message?
    ? How can I reach you?
    > You are hard to get hold of. / People manage.
    > There is charm in that. / If you say so.

    cold
    ? Are you comfortable over there?
    ? Shall I open the window?
    > I will lend you a hot-water bottle. / That is kind.
    > It is all a matter of habit. / We shall see.

    kids
    ? Did you have visitors?
    ? Why is the sofa upside down?
    > You must have been worn out. / It was fine.
    > They will ask for you again. / Any time.
    """
)
