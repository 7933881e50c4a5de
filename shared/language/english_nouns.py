"""Which English words can name a thing, told from the word and the one before it.

No dictionary: the common verbs, adjectives and interjections are listed here, and what stands
before a word says how it is meant ("to park", "the park").
"""

import re

_VERBS = """
    accept achieve add admit affect agree aim allow announce annoy answer appear apply appreciate
    approve argue arrange arrive assume attach attend avoid bake beat become begin behave believe
    bet bite blame blow boil book borrow bother break breathe build burn buy cancel care carry
    catch change charge chase chat check choose clean clear click climb close collect compare
    complain configure confirm connect consider contact contain convert cook copy correct cost
    cough count cover crash create cross cry cut deal decide define delay delete deliver deny
    depend describe deserve destroy detect develop die dig disable disagree disappear disconnect
    discuss drag draw dream dress drink drive drop drown eat edit enable encourage end enjoy ensure
    enter escape exclude execute exist exit expand expect explain explode extend fail fall feed
    fetch fight fill finish fit fix float fly fold follow forget forgive freeze gather generate get
    give go grab grow guarantee handle hang happen hate hear heat help hide hit hold hurry hurt
    identify ignore imagine implement improve include inform insert insist install intend introduce
    invent invest invite involve join joke juggle jump keep kick kill kiss knock know land last
    laugh lay lead lean learn leave lend let lie lift like listen live load lock lose maintain
    manage mark match matter meet melt mention mess miss mix modify move need notice obtain occur
    offer open operate order owe own pack paint park participate pass pay perform persuade pick
    plan play possess post practise prefer prepare pretend prevent produce promise protect prove
    provide publish pull push put quit raise reach read realise realize reboot receive recognise
    recognize recommend recover reduce refer refresh refuse reject relate relax rely remain
    remember remind remove rename repair repeat replace reply represent require rescue reset resize
    resolve respond rest restart restore return reveal ride ring rise roll ruin run rush save say
    scare scroll search see seem select sell send separate set shake share shine shoot shout show
    shut sing sink sit skip sleep slip smell smile solve sort sound speak specify spend spill split
    spot stand stay steal stick stop store stretch struggle study submit subscribe succeed suck
    suffer suggest suit suppose surprise survive swear sweat swim swing switch take talk taste
    teach tear tell tend test text thank think throw touch trade translate travel treat trust try
    turn type understand undo uninstall unlock unplug use verify visit vote wake walk wander want
    warn wash waste watch wear weigh whine win wipe wish wonder worry wrap write yell
"""
_FORMS = """
    ate beaten became begun began bent bitten bit blew blown bought bound broke broken brought
    built burnt came caught chose chosen crept dealt did done drank drawn drew driven drove drunk
    dug eaten fallen fed fell felt flew flown forgave forgot forgotten fought froze frozen gave
    given goes gone got gotten grew grown heard held hid hidden hung kept knew known laid lain led
    left lent lit lost made meant met paid proved ran rang read rode risen rose rung said sang sank
    sat saw seen sent shaken shook shot shown shut slept slid sold spent spilt split spoke spoken
    spread stole stolen stood stuck sung sunk swam swept swore sworn swum taken taught thought
    threw thrown tore torn took told understood went woke woken won wore worn wrote written
"""
_ADJECTIVES = """
    able absolute accurate active actual additional advanced afraid alive alone amazing ancient
    angry annoying annual appropriate asleep automatic available average aware awesome awful bare
    basic beautiful bitter blank blind bold boring brave brief bright brilliant broken busy calm
    capable careful casual central certain cheap cheerful civil classic clever cold common
    compatible complete complex confident confused conscious considerable constant convenient cool
    correct crazy creative critical crucial curious current cute daily damp dangerous dead deaf
    dear decent deep definite delicate delicious dependent desirable desperate detailed different
    difficult digital direct dirty disappointed distant domestic double dramatic dry dull early
    easy effective efficient elegant embarrassed empty enormous enough entire equal essential exact
    excellent excited exciting exotic expensive experienced explicit external extra extreme faint
    fair false familiar famous fancy fantastic fast fatal favorite favourite federal fellow final
    fine firm flat flexible foggy foreign formal former fortunate free frequent fresh friendly
    frightened full fun fundamental funny further future general generous gentle genuine giant glad
    global gorgeous gradual grand grateful green grey grumpy guilty half handsome handy hard
    harmful harmless harsh healthy heavy helpful high honest horrible hostile hot huge humble
    hungry ideal identical ill illegal immediate immense important impossible incredible
    independent individual initial innocent intelligent intense interesting internal international
    jealous junior keen kind large late latter lazy legal light likely limited little lively local
    logical lonely loose loud lovely low lucky mad main major manual marvellous massive mature
    maximum medium mental mere messy mild mini minimum minor miserable missing mobile moderate
    modern modest moral multiple mutual narrow nasty native natural naughty neat necessary negative
    nervous neutral nifty noisy normal numerous obvious odd official okay ordinary original other
    outstanding overall overdue painful particular passive patient peaceful peculiar perfect
    permanent persistent personal physical plain pleasant pleased plural pointless polite poor
    popular positive possible powerful practical precious precise present pretty previous primary
    prime primitive principal private probable professional profitable prominent prompt proper
    proud public pure quick quiet random rapid rare rational raw ready real reasonable recent red
    regular relative relevant reliable reluctant remarkable remote required respective responsible
    rich right romantic rough rude sad safe same satisfied scary secondary secret secure selfish
    senior sensible sensitive separate serious severe shady shallow sharp short shy sick
    significant silent silly similar simple single slight slow smart smooth sneaky sober social
    soft solid sophisticated sore special specific spectacular spicy stable standard steady steep
    sticky stiff straight strange strict strong stubborn stupid subsequent substantial successful
    sudden sufficient suitable super superb superior supreme sure surprised suspicious sustainable
    sweet swift tall technical temporary tender tense terrible thick thin thorough tidy tight tiny
    tired total tough traditional tremendous true typical ugly ultimate unable uncomfortable
    underlying unfair unfortunate unhappy uniform unique universal unknown unlikely unusual upset
    urgent useful useless usual vague valid valuable various vast vertical violent virtual visible
    vital vivid vulnerable warm weak wealthy weird wet whole wicked wide wild willing wise
    wonderful wooden worse worst worth wrong yellow young
"""
_OTHER = """
    about above across again ahead almost along already also although always among around away back
    before behind below beneath beside besides beyond down downstairs during either else elsewhere
    especially even eventually ever everybody everyone everything everywhere far forever forward
    half heads hence here hereby home however indeed inside instead just least less likewise
    loads lots many maybe meanwhile more most much near neither never nobody none nothing now
    nowhere off often once only onto otherwise out outside over overnight per perhaps plenty plus
    quite rather really sadly several since somebody somehow someone something sometimes somewhere
    soon still such than then there therefore though through thus till together too towards twice
    under unless until up upstairs upon usually via well whatever when whenever where whether while
    whoever whose why within without yes yet zero thanks please hello hey hiya congrats welcome
    gonna wanna gotta kinda sorta dunno lemme gimme alright anyway anyways anything anywhere
"""
_SOUNDS = re.compile(
    r"a+h*|o+h*|u+gh+|h+m+|m+(?:h+m+)?|e+h*|e+w+|a+w+|w+o+w+|ya+y+|ye+p+|no+pe+|yu+p+|ph+e+w+|o{2,}f"
    r"|o{2,}ps+|who{2,}ps?|yikes+|(?:ha|he)+h*|l+o+l+|l+m+a+o+|rofl|o+m+g+|g+r{2,}|bo{2,}|du+h+"
    r"|me+h+|na+h+|ye+a+h*|s+h+h|pf+t+|wtf|tbh|ikr|rip",
    re.IGNORECASE,
)
_NOT_ADVERBS = """
    ally assembly belly bully butterfly curly emily family fly holly italy jelly july kelly lily
    molly monopoly reply sally supply
"""
_BEFORE_NOUNS = """
    the a an my our your his her its their this that these those some any no each every another
    which what whose of in on at for from with by per about into near
"""
_BEFORE_VERBS = """
    to i we you they he she it who i'll we'll you'll they'll i'd we'd i've we've i'm we're you're
    can can't could couldn't will won't would wouldn't should shouldn't must may might do don't
    does doesn't did didn't let let's lets gonna wanna gotta please not never always just and has
    have had having be been being am is isn't are aren't was wasn't were weren't
"""
_GENERAL = """
    answer bottom bunch business case chance chat course crew detail end ending example eye face
    fact feeling group half hand head hole idea issue item job kind latest life line list luck
    message moment name news number one option pair part past piece place plan problem question
    reason rest result side situation size sort spot story team text thing thought top touch trip
    turn type update version word world
"""
_TIMES = """
    january february march april may june july august september october november december jan feb
    mar apr jun jul aug sep sept oct nov dec mon tue tues wed weds thu thur thurs fri sat sun noon
    midnight lunchtime spring summer autumn winter mondays tuesdays wednesdays thursdays fridays
    saturdays sundays weekends mornings evenings nights
"""
_RUN_TOGETHER = """
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent hes heres im isnt ive shes
    shouldnt thats theres theyre theyve tho thru wasnt werent weve whats wheres whos wont wouldnt
    youre youve cuz coz bcs gotcha congratulations hooray hurrah ish says yours mine ours
"""


def _inflected(verb: str) -> set[str]:
    stem = verb.removesuffix("e")
    found = {verb, f"{stem}ing", f"{stem}ed", f"{verb}s"}
    if re.search(r"[^aeiou][aeiou][bdgklmnprtv]$", verb):
        found |= {f"{verb}{verb[-1]}ing", f"{verb}{verb[-1]}ed"}
    if re.search(r"[^aeiou]y$", verb):
        found |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied"}
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        found.add(f"{verb}es")
    return found


VERBS = frozenset().union(*map(_inflected, _VERBS.split())) | frozenset(_FORMS.split())
FORMED = frozenset(_FORMS.split()) - {"felt", "rose", "read", "saw", "shot", "split", "bit"}
"""Forms that are nothing but verbs."""
ADJECTIVES = frozenset(_ADJECTIVES.split())
OTHER = frozenset(_OTHER.split())
NOT_ADVERBS = frozenset(_NOT_ADVERBS.split())
BEFORE_NOUNS = frozenset(_BEFORE_NOUNS.split())
BEFORE_VERBS = frozenset(_BEFORE_VERBS.split())
GENERAL = frozenset(_GENERAL.split())
"""Nouns that stand for any matter."""
TIMES = frozenset(_TIMES.split())
RUN_TOGETHER = frozenset(_RUN_TOGETHER.split())
"""As people type them without the apostrophe, and cries: no names of anything."""
SURE, UNMARKED, SAID_AS_VERB, ANY_MATTER, A_TIME = 1.0, 0.6, 0.5, 0.4, 0.2
"""How surely a word names what a talk is about: "the stove" does; "stove" alone is likely one;
what is also a verb ("walk") hardly does; a matter in general, or a month, tells of no matter."""
LEAST = 5
"""Letters of a word whose ending tells what it is: "bed" and "ring" are no forms of verbs."""


def names_nothing(word: str) -> bool:
    """Interjections, adverbs and words of grammar, whatever stands before them."""
    is_adverb = len(word) >= LEAST and word.endswith("ly") and word not in NOT_ADVERBS
    return word in OTHER or is_adverb or "'" in word or bool(_SOUNDS.fullmatch(word))


def can_name(word: str, before: str) -> bool:
    """Whether it can be a thing after the word `before` ("" for none); both in lower case."""
    if names_nothing(word) or word in ADJECTIVES:
        return False
    is_verb = word in VERBS or (len(word) > LEAST and word.endswith(("ed", "ing")))
    if not is_verb:
        return True
    if before in BEFORE_VERBS or word in FORMED:
        return False
    return before in BEFORE_NOUNS or before in ADJECTIVES


def naming(word: str, before: str) -> float:
    """How surely a word that can name a thing, written so, names what a talk is about."""
    plain = word.lower()
    if plain in RUN_TOGETHER:
        return 0.0
    if plain in TIMES:
        return A_TIME
    if {plain, plain.removesuffix("s")} & GENERAL:
        return ANY_MATTER
    if plain in VERBS or plain.endswith(("ing", "ed")):
        return SAID_AS_VERB
    is_name = word[0].isupper() and not word.isupper() and before != ""
    is_marked = before in BEFORE_NOUNS or before in ADJECTIVES
    return SURE if is_marked or is_name else UNMARKED
