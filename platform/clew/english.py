"""Closed lists of English words: what searches leave out, what opens a sentence, what counts."""

STOP = frozenset(
    """a about above after again against all am an and any are aren't as at be because been
    before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't down during each few for from further had hadn't has hasn't have haven't
    having he he'd he'll her here hers herself him himself his how i i'd i'll i'm i've if in
    into is isn't it it'll its itself just let let's me more most mustn't my myself no nor not of
    off on once only or other ought our ours ourselves out over own same shan't she she'd she'll
    should shouldn't so some such than that the their theirs them themselves then there these
    they they'd they'll they're they've this those through to too under until up very was wasn't
    we we'd we'll we're we've were weren't what when where which while who whom why will with
    won't would wouldn't you you'd you'll you're you've your yours yourself yourselves""".split()
)

# words that are capitalised only because a sentence begins, or because someone shouts
OPENERS = STOP | frozenset(
    """absolutely actually agreed ah aha ahh alas alright also although always amazing and another
    anybody anyone anything anyway anyways anywhere apparently apart aside ask aw awesome aww aye
    basically besides best better beyond bravo brilliant bye can cheers come congrats
    congratulations cool could dang dear definitely despite doubt dude duh earlier either else
    enough especially even eventually ever every everybody everyone everything everywhere exactly
    except fair fantastic finally fine first firstly fortunately from fun funny generally get
    gimme give glad go god going gonna good goodbye goodness gosh got gotta great guess ha haha
    hahaha happy hardly hell hello help here hey hi hmm honestly hooray hope hopefully how however
    hugs huh hurray i'd if imagine impressive indeed instead interesting is it jeez keep kinda kudos
    last lastly lately later less like literally little lol long look lots love lovely luckily
    many may maybe meanwhile might mine mm more moreover morning much must nah naturally near need
    neither never nevertheless next nice no nobody nope normally nothing now obviously of often oh
    ok okay omg once one only ooh oops or ours ouch overall particularly perfect perhaps phew
    please possibly pretty previously probably promise proud quite rather really recently
    regarding remember right sadly same say see seems seriously several shall shame should similarly
    simply since so somebody somehow someone something sometimes somewhere soon sorry sounds still
    such super supposedly sure sweet take talk tbh tell thank thanks that then therefore think
    though three thus till today together tomorrow tonight too totally truly try two typically
    ugh uh um unbelievable unfortunately unless unlike upon us usually very wait wanna want was
    way welcome well what whatever whenever whenever wherever whether while whoa whoever whole
    wonderful woo woohoo wow ya yay yea yeah yep yes yesterday yet yikes yo yup

    believe being bought bring call check click count days does doing done eat enjoy excited
    feel feels felt follow found getting gave had happens hear heard hearing it's join just keeps
    know known learning leave left let listen looking looks looking loved made make makes making
    meet met miss months moved moving my name none number old open part people pick plus put quick
    read ready run said saw school send set share show small somewhere spending stay stop stuff
    summer spring autumn winter thing things time took turns use used visit walk watch weeks went
    were work working works worth write years
    big black blue bright busy clear dark deep easy extra fast free full hard high hot huge
    important large light main new real red rough short special strong true weird white wild
    woah oof btw fyi imo idk ngl lmao hah gotcha lemme ahem eek eww whew almost thankfully tough
    crazy cute cozy young hang hold push wish call try knowing realising realizing brave proud
    kids friends family folks people food music art life nature books pets work home school
    answer list state mention describe explain choose compare reply
    success change memories moments photos pictures
    ah-ha four five six seven eight nine ten eleven twelve twenty thirty hundred thousand half
    second third""".split()
)

# after an unknown first word these tell a verb or an adverb ("Painted the", "Loving my")
FOLLOWERS = frozenset(
    """a an the my your his her our their this that these those some any to it me us him them
    for about up out off i you we they he she""".split()
)

MONTHS = "january february march april may june july august september october november december"
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"

# what joins the words of a name ("Bank of Oslo", "Ana de la Cruz")
JOINERS = "of the|of|de la|de|del|della|da|dos|di|van der|van|von|bin|al"

# openers that may be part of a name when another capital follows ("New York", "Big Ben")
ATTRIBUTES = frozenset(
    "big black blue grand great green high good happy king new old red royal south white".split()
)

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_ONES += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
CARDINALS = {word: n for n, word in enumerate(_ONES.split())}
CARDINALS |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
NUMBERS = CARDINALS | {"dozen": 12, "twice": 2, "thrice": 3, "couple": 2}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = {word: n for n, word in enumerate(_ORDINALS.split(), 1)}
