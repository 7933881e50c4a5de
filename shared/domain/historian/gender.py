"""Whether somebody is likely called he or she, by a name or by what they are to another.

A guess: it chooses among several who can be meant, and only a word of kinship rules anybody out.
"""

import re

MALE, FEMALE = "m", "f"

_KIN = {
    MALE: re.compile(
        r"(?:爸爸?|父亲|老公|丈夫|男朋友|男友|儿子|弟弟?|哥哥?|爷爷|外公|姥爷|表[哥弟]|先生|岳父|公公|叔叔?|舅舅?)$"
        r"|\b(?:dad|father|brother|son|husband|boyfriend|uncle|grandpa|grandfather|grandad|nephew|"
        r"stepdad|father-in-law|brother-in-law|ex-husband|landlord)$"
    ),
    FEMALE: re.compile(
        r"(?:妈妈?|母亲|老婆|妻子|太太|女朋友|女友|女儿|妹妹?|姐姐?|奶奶|外婆|姥姥|表[姐妹]|岳母|婆婆|阿姨|姑姑?|姨妈?|舅妈)$"
        r"|\b(?:mum|mom|mother|sister|daughter|wife|girlfriend|aunt|grandma|grandmother|gran|granny|"
        r"nan|niece|stepmum|stepmom|mother-in-law|sister-in-law|ex-wife|landlady)$"
    ),
}
_CALLED = {
    MALE: re.compile(
        r"^老[\u3400-\u9fff]$|[哥叔伯爷爸弟兄]$|先生$|[强刚伟军涛鹏磊超勇杰斌峰龙虎浩辉凯豪毅彬]$"
    ),
    FEMALE: re.compile(
        r"[姐妹姨婶嫂妈奶娘]$|女士$|小姐$|[芳丽娜婷娟燕梅莉玲霞莹媛妍倩萍琴瑶岚蓉菲萌妮珊琳雯颖静薇蕾]$"
    ),
}
_MALE_NAMES = """
    aaron abdul adam adrian ahmed alan albert alejandro alexander ali andre andrea andreas
    andrew andy anthony antonio arjun arthur ben benjamin bernard bill bob boris brad brandon
    brian bruce bryan caleb calvin carl carlos charles charlie chris christian christopher colin
    connor craig dan daniel dave david dean declan dennis derek diego dmitri dominic don donald
    doug douglas duncan dylan ed eddie edgar eduardo edward eli elias elijah emil eric erik
    ethan evan felix fernando finn francesco francis francisco frank fred gabriel gareth gary
    geoff george gerald giovanni glen gordon graham grant greg gregory guy hans harold harry
    hassan hector henrik henry howard hugh hugo ian ibrahim isaac ivan jack jacob jake james
    jamal jan jason javier jeff jeffrey jeremy jerry jim jimmy joe joel johan johannes john
    johnny jon jonas jonathan jorge jose joseph josh joshua juan julian justin karl keith ken
    kenneth kevin klaus kyle lars lawrence leo leon leonard liam logan lorenzo louis lucas luca
    luigi luis luke magnus malcolm manuel marc marcel marco marcus mario mark martin mateo matt
    matthew matthias max michael miguel mike mikkel mohamed mohammed muhammad nathan neil
    nicholas nick nigel nikolai noah norman oliver olivier omar oscar otto owen pablo patrick
    paul pedro pete peter phil philip pierre rafael raj rajesh ralph ravi ray raymond ricardo
    richard rick rob robert roberto rodrigo roger roland ron ronald ross roy rupert ryan samuel
    scott sean sebastian sergei sergio seth simon stefan stephen steve steven stewart stuart
    sven ted terry theo theodore thomas tim timothy tobias toby todd tom tommy tony tristan
    trevor tyler victor viktor vincent vikram wayne wes wesley will william wolfgang xavier
    yusuf zachary
"""
_FEMALE_NAMES = """
    abigail ada adele agnes aisha alana alice alicia alina alison amanda amber amelia amina amy
    ana anastasia angela anika anita ann anna anne annette annie aoife astrid audrey aurora ava
    barbara beatrice beatriz becky bella beth bethany betty bianca bonnie brenda bridget
    brigitte camila camilla carla carmen carol caroline catherine cathy cecilia celia charlotte
    chiara chloe christina christine claire clara claudia colleen cora cristina daisy daniela
    deborah denise diana diane donna dora doris dorothy edith eileen elaine eleanor elena elise
    eliza elizabeth ella ellen elsa emily emma erica erika esther eva eve evelyn faith fatima
    fiona flora florence frances freya gabriela gemma georgia gina giulia gloria grace greta
    gwen hannah harriet hattie hazel heather heidi helen helena helga hilary holly ida ilse
    imogen ines ingrid irene iris isabel isabella isla ivy jackie jane janet janice jasmine jean
    jenna jennifer jenny jessica jill joan joanna josephine joy joyce judith judy julia julie
    karen karin kate katherine kathleen kathy katie kayla keiko kelly kirsten kristen laila lara
    laura lauren layla leah lena leonie leticia lidia lilian lily linda lisa liz lola lorraine
    louise lucia lucy lydia mabel maeve maggie mandy margaret maria marie marion marta martha
    mary matilda maya meera megan melanie melissa mia michelle mila miranda molly monica nadia
    nadine nancy naomi natalie natasha nicole nina noor nora olga olivia paige pamela patricia
    paula pauline penelope penny petra philippa phoebe polly priya priyanka rachel rebecca
    renata rita roberta rosa rose rosie ruby ruth sally samantha sandra sara sarah selena
    shannon sharon sheila shirley silvia simone sofia sonia sophia sophie stella stephanie sue
    susan susanne sylvia tamara tania tara teresa tessa tina ursula valentina valerie vanessa
    vera veronica victoria violet virginia wendy yasmin yolanda yuki yuko zara zoe
"""
_NAMES = {
    **dict.fromkeys(_MALE_NAMES.split(), MALE),
    **dict.fromkeys(_FEMALE_NAMES.split(), FEMALE),
}


def by_kin(person: str) -> str:
    """Sam's mum is she, whoever Sam is; empty if the words do not tell."""
    return next((gender for gender, words in _KIN.items() if words.search(person)), "")


def by_name(person: str) -> str:
    if person.isascii():
        return _NAMES.get(person.split(" ", maxsplit=1)[0].lower(), "")
    return next((gender for gender, words in _CALLED.items() if words.search(person)), "")
