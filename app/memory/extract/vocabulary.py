"""The closed word lists that the grammar of statements leans on; English, lower case."""

import re

ANY_VALUE = "*"  # of a rule that closes: whatever the value was


def listed(text: str) -> tuple[str, ...]:
    """Return the entries of a list written with commas."""
    return tuple(part.strip() for part in re.split(r"[\n,]", text) if part.strip())


def _words(text: str) -> frozenset[str]:
    return frozenset(listed(text))


# Relatives and friends of whom a person has one at a time: what is said of them can be keyed.
UNIQUE_PEOPLE = _words(
    "wife, husband, partner, fiancé, fiancée, fiance, fiancee, girlfriend, boyfriend, gf, bf, "
    "spouse, mother, father, mum, mom, mam, dad, boss, landlord, landlady, doctor, gp, dentist, "
    "therapist"
)
PARTNERS = _words(
    "wife, husband, partner, fiancé, fiancée, fiance, fiancee, girlfriend, boyfriend, gf, bf, "
    "spouse"
)
PEOPLE = UNIQUE_PEOPLE | _words(
    "sister, brother, son, daughter, child, baby, youngest, eldest, oldest, toddler, kid, twin, "
    "twins, kids, children, sons, daughters, parents, sisters, brothers, siblings, grandmother, "
    "grandmothers, grandfathers, "
    "grandfather, grandma, grandpa, granny, gran, nan, grandparents, grandson, granddaughter, "
    "grandchild, grandchildren, aunt, uncle, cousin, cousins, nephew, niece, nephews, nieces, "
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
    "midwife, "
    "surgeon, psychiatrist, psychologist, counsellor, cardiologist, dermatologist, oncologist, "
    "neurologist, consultant, optician, pharmacist, osteopath, chiropractor, gardener, pastor, "
    "vicar, "
    "priest, rabbi, imam, professor, headteacher, head teacher, childminder, stylist, broker, "
    "butcher, "
    "apprentice, intern, trainee"
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
MALE = _words(
    "husband, fiancé, boyfriend, father, dad, son, brother, grandfather, grandpa, uncle, nephew, "
    "grandson, stepson, stepfather, stepbrother, godson, godfather, father-in-law, "
    "brother-in-law, son-in-law, ex-husband, ex-boyfriend, landlord"
)
FEMALE = _words(
    "wife, fiancée, girlfriend, mother, mum, mom, mam, daughter, sister, grandmother, grandma, "
    "granny, gran, nan, aunt, niece, granddaughter, stepdaughter, stepmother, stepsister, "
    "goddaughter, godmother, mother-in-law, sister-in-law, daughter-in-law, ex-wife, "
    "ex-girlfriend, landlady"
)

# What people call their own family to others, without "my".
KIN_NAMES = _words(
    "mum, mom, mam, mama, mummy, mommy, dad, daddy, papa, gran, granny, grandma, grandpa, grandad, "
    "granddad, nan, nana, nanna, nonna, nonno, oma, opa, abuela, abuelo, babcia"
)
# What "my … is …" may be about, beside people and pets; each is one value, hence a key.
ATTRIBUTES = _words(
    "maiden name, birth name, previous name, last name, surname, nickname, middle name, age, "
    "birthday, date of birth, birth date, star "
    "sign, zodiac sign, hometown, home town, address, home address, postcode, zip code, "
    "nationality, native language, mother tongue, first language, religion, job, job title, "
    "profession, occupation, employer, company, school, university, major, degree, phone, "
    "mobile, phone number, mobile number, number, email, email address, e-mail, laptop, "
    "computer, tablet, camera, car, bike, motorbike, height, weight, shoe size, dress size, "
    "shirt size, ring size, blood type, blood group, eye colour, eye color, hair colour, hair "
    "color, diet, hobby, main hobby, instrument, budget, timezone, time zone, wedding "
    "anniversary, anniversary, operating system, pronouns, salary, rent, size, username, "
    "website, locker number, locker code, alarm code, gate code, door code, lock code, pin, "
    "pin code, number plate, licence plate, employee number, member number, membership number, "
    "student number, customer number, policy number, wifi, wi-fi, preferred title, title, hat "
    "size, "
    "collar size, glove size, bra size, clothes size, inside leg, inseam, waist, "
    "resting pulse, resting heart rate, blood pressure, lunch break, team, church, gym, doctor's "
    "name, gp, allergy"
)
# What "my … is …" may be about when a date stands beside it.
DOCTORS = _words(
    "gp, doctor, doc, psychiatrist, specialist, cardiologist, vet, consultant, neurologist, "
    "dermatologist, rheumatologist, nurse, dentist, surgeon, oncologist, physio, dietician, "
    "dietitian, midwife, optician"
)

OCCASIONS = _words(
    "flight, train, bus, ferry, exam, exams, test, appointment, interview, wedding, surgery, "
    "operation, party, concert, gig, holiday, holidays, vacation, trip, meeting, deadline, course, "
    "contract, lease, move, job, school, work, term, semester, internship, training, "
    " graduation, defence, defense, thesis, presentation, check-up, checkup, "
    "scan, shift, visa, passport, due date, anniversary, recital, race, marathon, match, "
    "game, class, lesson, dinner, hearing, birthday party, rehearsal, conference, honeymoon"
)

JOB_TITLES = _words(
    "nurse, chef, cook, pilot, vet, judge, clerk, coach, guide, monk, nun, priest, "
    "professor, doctor, dentist, lawyer, solicitor, barrister, attorney, architect, analyst, "
    "accountant, consultant, student, freelancer, paramedic, mechanic, musician, "
    "technician, surgeon, midwife, postman, mailman, fireman, policeman, policewoman, "
    "fisherman, salesman, saleswoman, chairman, receptionist, cashier, veterinarian, psychologist, "
    "au pair, civil servant, social worker, housewife, househusband, homemaker, entrepreneur, "
    "copywriter, concierge, diplomat, politician, soldier, sailor, sergeant, captain, intern, "
    "apprentice, trainee, assistant, secretary, librarian, butcher, tailor, barista, bartender, "
    "actor, actress, author, poet, journalist, dj, ceo, cto, cfo, sre, developer, engineer, "
    "scientist, executive, planner, translator, estate agent, travel agent, flight attendant, "
    "data scientist, postdoc, cabin crew, dba, sysadmin, devops, plasterer, welder, landscaper, "
    "dev, physiotherapist, pharmacist, optician, paralegal, notary, beekeeper, shepherd, potter"
)
JOB_ENDINGS = (
    "er",
    "or",
    "ist",
    "ian",
    "cian",
    "grapher",
    "keeper",
    "maker",
    "eer",
    "smith",
    "man",
    "woman",
    "wright",
    "logist",
    "ant",
)
NOT_JOBS = _words(
    "pensioner, widower, alcoholic, heavyweight, breadwinner, teetotaller, insider, outsider, "
    "outlier, "
    "mother, father, brother, sister, grandmother, grandfather, beginner, lover, believer, owner, "
    "member, supporter, follower, reader, listener, user, gamer, smoker, drinker, eater, sleeper, "
    "riser, thinker, learner, perfectionist, optimist, pessimist, christian, vegetarian, italian, "
    "belgian, austrian, australian, canadian, egyptian, norwegian, persian, russian, ukrainian, "
    "hungarian, romanian, brazilian, indian, stranger, loner, prisoner, customer, newcomer, "
    "swimmer, hiker, runner, traveller, traveler, camper, human, woman, man, feminist, monster, "
    "virtuoso, survivor, minor, senior, junior, giant, elephant, lodger, teenager, homeowner, "
    "left-hander, right-hander, introvert, extrovert, libertarian, sister, sucker, twitcher, "
    "hoarder, foodie, boomer, nester"
)
HEALTH = _words(
    "asthma, diabetes, epilepsy, arthritis, migraines, migraine, eczema, psoriasis, hay fever, "
    "high blood pressure, low blood pressure, hypertension, anaemia, anemia, adhd, add, autism, "
    "asperger's, dyslexia, depression, anxiety, insomnia, ibs, crohn's, crohn's disease, "
    "coeliac disease, celiac disease, gout, glaucoma, cancer, leukaemia, leukemia, ms, "
    "multiple sclerosis, parkinson's, alzheimer's, dementia, ocd, ptsd, endometriosis, pcos, "
    "osteoporosis, sciatica, scoliosis, tinnitus, vertigo, rosacea, hypothyroidism, "
    "hyperthyroidism, long covid, fibromyalgia, sleep apnoea, sleep apnea, reflux, "
    "a heart condition, a pacemaker, a hearing aid, a bad back, a bad knee, allergies, "
    "tourette's, lupus, hemophilia, haemophilia, bipolar disorder, high cholesterol, a peanut "
    "allergy"
)
CONDITIONS = _words(
    "diabetic, asthmatic, epileptic, autistic, dyslexic, pregnant, deaf, blind, colour-blind, "
    "color-blind, colorblind, colour blind, color blind, short-sighted, near-sighted, nearsighted, "
    "long-sighted, lactose intolerant, lactose-intolerant, gluten intolerant, gluten-intolerant, "
    "coeliac, celiac, anaemic, anemic, bipolar, neurodivergent, wheelchair-bound, "
    "hard of hearing, partially sighted, claustrophobic, arachnophobic, dyscalculic, "
    "nonverbal, non-verbal, housebound, bedridden, paralysed, paralyzed, tone-deaf, infertile, "
    "histamine intolerant, hypoglycemic, sober, teetotal, disabled, insulin dependent"
)
DIETS = _words(
    "vegetarian, vegan, pescatarian, flexitarian, kosher, halal, gluten-free, gluten free, "
    "dairy-free, dairy free, keto, paleo, fruitarian, lactose-free, pescetarian, veggie, "
    "plant-based, coeliac"
)
STATES = _words(
    "homeschooled, home-schooled, married, divorced, single, engaged, widowed, separated, retired, "
    "unemployed, self-employed, "
    "left-handed, right-handed, left handed, right handed, ambidextrous, bald, adopted, "
    "an only child, on parental leave, on maternity leave, on paternity leave, on sick leave, "
    "on a diet, an early riser, a night owl, bilingual, trilingual, colour-blind, freelance, "
    "gay, lesbian, bisexual, straight, queer, trans, transgender, nonbinary, non-binary, asexual, "
    "religious, atheist, agnostic, catholic, protestant, orthodox, muslim, christian, jewish, "
    "buddhist, hindu, sikh, quaker, mormon, introverted, extroverted, tall, short, blond, blonde, "
    "dead, alive, childless, in a wheelchair, in a relationship, on the spectrum, a vegan, shy"
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
COUNTRIES = _words(
    "belgium, the netherlands, netherlands, holland, france, germany, luxembourg, spain, "
    "portugal, italy, switzerland, austria, england, scotland, wales, ireland, northern ireland, "
    "uk, the uk, britain, great britain, united kingdom, the united kingdom, denmark, sweden, "
    "norway, finland, iceland, poland, czechia, the czech republic, slovakia, hungary, romania, "
    "bulgaria, greece, turkey, ukraine, russia, belarus, estonia, latvia, lithuania, croatia, "
    "serbia, slovenia, bosnia, montenegro, albania, north macedonia, kosovo, malta, cyprus, "
    "moldova, georgia, armenia, usa, the usa, us, the us, united states, the united states, the "
    "states, america, canada, mexico, brazil, argentina, chile, peru, colombia, ecuador, "
    "bolivia, uruguay, venezuela, cuba, jamaica, japan, china, korea, south korea, taiwan, "
    "vietnam, thailand, malaysia, singapore, indonesia, the philippines, philippines, india, "
    "pakistan, bangladesh, nepal, sri lanka, iran, iraq, israel, palestine, lebanon, syria, "
    "jordan, saudi arabia, the uae, uae, qatar, kuwait, egypt, morocco, algeria, tunisia, libya, "
    "nigeria, ghana, senegal, kenya, tanzania, uganda, ethiopia, rwanda, south africa, namibia, "
    "zimbabwe, australia, new zealand, afghanistan, kazakhstan, uzbekistan"
)
