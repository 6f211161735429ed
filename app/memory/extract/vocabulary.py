"""Closed word lists: people and animals of one's own, languages, nations; English, lower case."""

import re


def listed(text: str) -> tuple[str, ...]:
    """Return the entries of a list written with commas."""
    return tuple(part.strip() for part in re.split(r"[\n,]", text) if part.strip())


def _words(text: str) -> frozenset[str]:
    return frozenset(listed(text))


PARTNERS = _words(
    "wife, husband, partner, fiancé, fiancée, fiance, fiancee, girlfriend, boyfriend, gf, bf, "
    "spouse"
)
PEOPLE = PARTNERS | _words(
    "mother, father, mum, mom, mam, dad, boss, landlord, landlady, doctor, gp, dentist, therapist, "
    "sister, brother, son, daughter, child, baby, youngest, eldest, oldest, toddler, kid, twin, "
    "twins, kids, children, sons, daughters, parents, sisters, brothers, siblings, grandmother, "
    "grandmothers, grandfathers, grandfather, grandma, grandpa, granny, gran, nan, grandparents, "
    "grandson, granddaughter, grandchild, grandchildren, aunt, uncle, cousin, cousins, nephew, "
    "niece, nephews, nieces, "
    "grandad, granddad, nana, nanna, nonna, nonno, oma, opa, mama, mummy, mommy, papa, daddy, "
    "little one, little ones, wee one, firstborn, teen, teenager, boy, girl, boys, girls, lad, "
    "grandkids, grandkid, stepkids, stepkid, stepchildren, stepdad, "
    "stepmum, stepmom, great-aunt, great-uncle, great-grandmother, great-grandfather, godchild, "
    "middle child, other half, better half, missus, mate, mates, pal, buddy, bestie, pen pal, "
    "penpal, lodger, tenant, carer, cleaner, mother-in-laws, classmate, deskmate, study buddy, "
    "ex-boss, ex-partner, foster child, foster son, foster daughter, "
    "stepson, stepdaughter, stepmother, stepfather, stepbrother, stepsister, godson, "
    "goddaughter, godfather, godmother, friend, friends, best friend, neighbour, neighbor, "
    "neighbours, neighbors, colleague, coworker, co-worker, manager, flatmate, roommate, "
    "housemate, ex, ex-wife, ex-husband, ex-girlfriend, ex-boyfriend, teacher, tutor, coach, "
    "nanny, babysitter, mother-in-law, father-in-law, sister-in-law, brother-in-law, son-in-law, "
    "daughter-in-law, in-laws, family, assistant, business partner, accountant, lawyer, physio, "
    "physiotherapist, mentor, supervisor, team, solicitor, notary, barber, hairdresser, vet, "
    "midwife, surgeon, psychiatrist, psychologist, counsellor, cardiologist, dermatologist, "
    "oncologist, neurologist, consultant, optician, pharmacist, osteopath, chiropractor, gardener, "
    "pastor, vicar, priest, rabbi, imam, professor, headteacher, head teacher, childminder, "
    "stylist, broker, butcher, apprentice, intern, trainee"
)
PETS = _words(
    "dog, dogs, puppy, puppies, cat, cats, kitten, kittens, rabbit, rabbits, hamster, guinea pig, "
    "guinea pigs, parrot, budgie, canary, horse, pony, tortoise, turtle, snake, lizard, gecko, "
    "goldfish, fish, ferret, rat, hen, hens, chicken, chickens, goat, sheep, donkey, pet, pets, "
    "labrador, poodle, dachshund, beagle, collie, terrier, spaniel, golden retriever, husky, pug, "
    "corgi, greyhound, boxer, bulldog, german shepherd, border collie, tabby, siamese, maine coon, "
    "mare, gelding, stallion, foal, budgies, parrots, horses, ponies, rabbits, hamsters, lizards, "
    "geckos, snakes, tortoises, ferrets, rats, gerbil, gerbils, chinchilla, chinchillas, "
    "axolotl, axolotls, cockatiel, cockatoo, pigeons, ducks, geese, alpacas, llamas, mice, "
    "mouse, tarantula, iguana, bearded dragon, newt, koi, lurcher, vizsla, staffie, cockapoo, "
    "labradoodle, shiba, akita, malinois, tomcat, moggy, "
    "ragdoll, mongrel, whippet, chihuahua, dalmatian, rottweiler, shih tzu, schnauzer"
)
LANGUAGES = _words(
    "english, french, german, dutch, flemish, spanish, portuguese, italian, polish, czech, "
    "slovak, russian, ukrainian, bulgarian, romanian, hungarian, greek, turkish, arabic, hebrew, "
    "persian, farsi, hindi, urdu, bengali, punjabi, tamil, telugu, mandarin, cantonese, chinese, "
    "japanese, korean, vietnamese, thai, indonesian, malay, tagalog, swahili, zulu, xhosa, "
    "afrikaans, danish, swedish, norwegian, finnish, icelandic, estonian, latvian, lithuanian, "
    "croatian, serbian, bosnian, slovenian, albanian, macedonian, irish, welsh, gaelic, basque, "
    "catalan, galician, latin, esperanto, frisian, georgian, armenian, yoruba, amharic, sign "
    "language, luxembourgish"
)
NATIONALITIES = LANGUAGES | _words(
    "belgian, american, british, scottish, canadian, australian, austrian, swiss, brazilian, "
    "mexican, argentinian, colombian, chilean, peruvian, cuban, egyptian, moroccan, algerian, "
    "tunisian, nigerian, ghanaian, kenyan, ethiopian, south african, indian, pakistani, "
    "bangladeshi, nepali, sri lankan, filipino, singaporean, taiwanese, iranian, iraqi, syrian, "
    "lebanese, israeli, palestinian, jordanian, saudi, afghan, cypriot, maltese, kurdish, "
    "venezuelan"
)
