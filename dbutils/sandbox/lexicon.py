"""The invented words of the root variety with their English; all else derives from this table.

The forms are made up. Nouns end in a vowel, verbs in a consonant, adjectives in -e, adverbs in -i,
names in a consonant, so that a word's class can be seen in its shape, as in many languages.
"""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One word: `key` (its English, the name by which meanings refer to it), root form, word class.

    kind: what it denotes (person, thing, place, time, ...). topic: empty if it fits any.
    english: further English forms (plural of a noun; third person and past of a verb).
    value: -1, 0 or 1, the sentiment it carries. opposite: key of a word that excludes this one.
    """

    key: str
    form: str
    upos: str
    kind: str
    topic: str = ""
    english: tuple[str, ...] = ()
    value: int = 0
    opposite: str = ""


TOPICS = ("farming", "health", "market", "music", "school", "sea")

# topic, kind, English singular and plural, form
_NOUNS = """
farming  person  farmer     farmers     gurpo
farming  person  shepherd   shepherds   nemoro
farming  thing   vine       vines       bula
farming  thing   bean       beans       tegela
farming  thing   rose       roses       maspa
farming  thing   pear       pears       sopana
farming  place   field      fields      luga
farming  place   orchard    orchards    tosuva
health   person  doctor     doctors     kogavo
health   person  nurse      nurses      lano
health   thing   ointment   ointments   mebada
health   thing   syrup      syrups      gila
health   thing   powder     powders     rirpava
health   thing   bandage    bandages    perda
health   place   clinic     clinics     sesuska
health   place   pharmacy   pharmacies  nonba
market   person  trader     traders     sovo
market   person  porter     porters     makesro
market   thing   loaf       loaves      laska
market   thing   basket     baskets     vuniga
market   thing   carpet     carpets     komiga
market   thing   lamp       lamps       noka
market   place   stall      stalls      siga
market   place   square     squares     turdasa
music    person  singer     singers     ritavo
music    person  drummer    drummers    bebo
music    thing   flute      flutes      visnasa
music    thing   harp       harps       muma
music    thing   horn       horns       tetera
music    thing   tune       tunes       berba
music    place   hall       halls       sartapa
music    place   theatre    theatres    nulpa
school   person  teacher    teachers    limelno
school   person  pupil      pupils      liro
school   thing   book       books       puteka
school   thing   letter     letters     numa
school   thing   poem       poems       rebeva
school   thing   map        maps        buva
school   place   library    libraries   vinveta
school   place   classroom  classrooms  nasoda
sea      person  sailor     sailors     kensaso
sea      person  diver      divers      gono
sea      thing   net        nets        ratuta
sea      thing   boat       boats       tesa
sea      thing   sail       sails       suseda
sea      thing   anchor     anchors     gepa
sea      place   harbour    harbours    lamipa
sea      place   bay        bays        nonsa
-        person  person     people      deno
-        thing   thing      things      kosa
"""

# topic, sentiment, English base, third person and past, form
_VERBS = """
farming  0  plant   plants   planted  ribik
farming  0  water   waters   watered  netom
health   0  test    tests    tested   sepit
health   0  mix     mixes    mixed    numul
market   0  sell    sells    sold     pases
market   0  buy     buys     bought   vegen
music    0  play    plays    played   kalmet
music    0  tune    tunes    tuned    birkik
school   0  read    reads    read     toris
school   0  copy    copies   copied   badel
sea      0  mend    mends    mended   katol
sea      0  haul    hauls    hauled   sentin
-        0  find    finds    found    pigul
-        0  bring   brings   brought  tepot
-        0  see     sees     saw      ditus
-        1  praise  praises  praised  kugor
-        1  adore   adores   adored   munrun
-       -1  curse   curses   cursed   venkit
-       -1  hate    hates    hated    sepon
"""

# sentiment, English, its opposite, form
_ADJECTIVES = """
 0  old       new       vede
 0  new       old       lenne
 0  big       small     gere
 0  small     big       note
 0  heavy     light     tisme
 0  light     heavy     pome
 1  good      bad       mite
-1  bad       good      dape
 1  lovely    ugly      tune
-1  ugly      lovely    kobre
 1  splendid  awful     benke
-1  awful     splendid  rosge
"""

# kind, sentiment, English, form; time words stand in a fixed relation to tense
_ADVERBS = """
past     0  yesterday  giti
past     0  recently   dalri
present  0  today      vasni
present  0  now        posi
future   0  tomorrow   mesi
future   0  soon       kessi
manner   0  slowly     teti
manner   0  quickly    risi
manner   1  gladly     lami
manner   1  kindly     boni
manner  -1  angrily    nodi
manner  -1  rudely     gabri
"""

# kind, UPOS, gloss, form
_FUNCTION = """
article     DET    the    do
article     DET    a      un
adposition  ADP    in     so
adposition  ADP    of     pi
conjunction CCONJ  and    eta
negation    PART   not    ma
copula      AUX    be     es
number      NUM    two    duk
number      NUM    three  tir
question    PRON   who    ki
question    PRON   what   kela
question    ADV    where  kuso
question    ADV    when   kimi
"""

# English and form at once: names are the same in every language, but for sound and spelling
GIVEN = ("Mol", "Nan", "Sal", "Ril", "Kelon", "Dulan", "Bor", "Nir", "Tesin", "Varol")
TOWNS = ("Rebun", "Podar", "Boror", "Nebed", "Levan", "Midor", "Pisan", "Kispid", "Mogar", "Lenor")
BODIES = ("Guild", "Council", "Bank", "Union")  # "Podar Guild"; their forms follow
_BODY_FORMS = ("Gilsan", "Tavon", "Meros", "Unil")

PLURAL, PAST, PRESENT, FUTURE = ("PL", "n"), ("PST", "a"), ("PRS", "i"), ("FUT", "u")
TENSES = {"past": PAST, "present": PRESENT, "future": FUTURE}


def _lexemes():
    for topic, kind, one, many, form in map(str.split, _NOUNS.strip().splitlines()):
        yield Lexeme(one, form, "NOUN", kind, topic.strip("-"), (many,))
    for topic, value, base, third, past, form in map(str.split, _VERBS.strip().splitlines()):
        # "tune" names a noun and a verb: verbs are keyed "to tune"
        yield Lexeme(f"to {base}", form, "VERB", "act", topic.strip("-"), (base, third, past), int(value))
    for value, key, opposite, form in map(str.split, _ADJECTIVES.strip().splitlines()):
        yield Lexeme(key, form, "ADJ", "quality", "", (), int(value), opposite)
    for kind, value, key, form in map(str.split, _ADVERBS.strip().splitlines()):
        yield Lexeme(key, form, "ADV", kind, "", (), int(value))
    for kind, upos, key, form in map(str.split, _FUNCTION.strip().splitlines()):
        yield Lexeme(key, form, upos, kind)
    for name in (*GIVEN, *TOWNS):
        yield Lexeme(name, name.lower(), "PROPN", "name")
    for name, form in zip(BODIES, _BODY_FORMS, strict=True):
        yield Lexeme(name, form.lower(), "PROPN", "name")


LEXICON = {lexeme.key: lexeme for lexeme in _lexemes()}
FORMS = frozenset(lexeme.form for lexeme in LEXICON.values())
CONTENT = frozenset(("NOUN", "VERB", "ADJ", "ADV"))


@cache
def words(kind, topic=None, value=None):
    """The keys of one kind, in table order; topic and sentiment narrow the choice where given."""
    return tuple(
        w.key for w in LEXICON.values() if w.kind == kind and topic in (None, w.topic) and value in (None, w.value)
    )
