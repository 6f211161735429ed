"""Common given names, so that "Ruth went vegetarian" is heard as news of a person.

A capitalised word alone is not enough: cities, firms and languages have capitals too. Names that
are also everyday words or famous surnames are left out.
"""

GIVEN_NAMES = frozenset(
    """
    aaron abby abdul abigail abraham ada adam adele adrian agnes ahmed aisha aidan alan albert
    alejandro alessandro alex alexander alexandra alexis alfie alfred ali alice alicia alina
    alison allison alma amal amanda amber amelia amina amir amira amy ana anastasia anders andrea
    andreas andrei andrew andy angela anika anita anja anke ann anna annabel anne annelies annie
    anouk anthony antoine anton antonia antonio anya archie arjun arne arno arthur arturo asha
    astrid audrey aurelie ava axel aya bart bas beatrice beatriz becky ben benjamin bernard beth
    betty bianca bjorn bob boris bram brandon brenda brian bridget bruno caitlin camila camille
    carina carl carla carlos carmen carol carolina caroline caspar cassandra catherine cecilia
    cedric celine charles charlie charlotte chiara chloe chris christian christina christine
    christophe christopher claire clara clare claudia clement colin connor constance cornelia
    cristina cynthia dagmar daisy damian dan dana daniel daniela danielle danny dario dave david
    debbie deborah dennis denise derek diana diego dieter dimitri dina dirk dmitri dominic
    dominik donna doris dorothy duncan dylan eddie edith eduardo edward eileen elena eleanor elias
    elif elin elisa elisabeth elise elizabeth ella ellen ellie els elsa emil emilia emily emine
    emma emmanuel enrico erica erik erika ernesto esther ethan eva evelyn evan ewa fabian fabio
    farid fatima felicity felipe felix fernanda fernando fiona florence florian fran frances
    francesca francesco francis francisco frank frans franziska fred freddie frederik frida fritz
    frits gabriel gabriela gareth gary gavin gemma george georgia gerard gerda giles gina giorgio
    giovanni giulia giuseppe gloria gordon graham greet greg gregor greta guillaume gunther gustav
    hamid hana hanna hannah hanne hans harriet harry hassan hazel heather hector heidi helen
    helena helene helga hendrik henk henri henrik henry herman hilde holly hugh hugo ian ibrahim
    ida igor ilse imogen imran ines inês inga inge ingrid irena irene iris irina isaac isabel isabella
    isla ivan ivy jack jackie jacob jacqueline jacques jad jade jake jakob jakub jamal james jamie
    jan jana jane janet janine jasmin jasmine jasper javier jean jeanne jeff jelena jelle jennifer
    jenny jens jeremy jeroen jessica jessie jill jim jo joan joana joanna joao jochen joe joel
    johan johanna johannes john johnny jon jonas jonathan joost jordan jorge joris jose josef
    joseph josephine josh joshua joyce juan juana judith judy julia julian juliana julie julien
    juliet julius june jurgen justin justyna kaja kamil karel karen karim karin karina karl karla
    karolina kasia kasper kate katarina katharina katherine kathleen kathryn kathy katie katja
    katrin kay keith kelly ken kevin khalid kim kirsten klaas klara klaus koen kris krzysztof kyle
    lara lars laura lauren laurence lea leah leila lena leo leon leona leonard leonie leonora lewis
    lex liam lidia lien lieve lily lina linda linus lisa liz liza logan lola lotte lou louis
    louise luc luca lucas lucia lucie lucy ludovic luis luisa lukas luke luna lydia lynn maarten
    mabel maddie madeleine magda maggie magnus mahmoud maja malcolm malik manon manuel manuela
    mara marc marcel marco marcus mareike marek margaret margarita margot maria mariam marian
    mariana marie marieke marina mario marion marius marjan marko marlene marta martha martin
    martina martine marty mary mateo mateusz mathias mathilde mats matt matteo matthew matthias
    maud maureen maurice max maxime maya megan mehmet mei mel melanie melissa mia michael michal
    michel michele michelle miguel mikael mike mikhail mila milan millie milo mina mira miriam
    mitchell moana mohamed mohammed moira molly mona monica monika morgan moritz muhammad mustafa
    myriam nadia nadine nancy naomi natalia natalie natasha nathalie nathan neil nele nell nelson
    nena niall nick nico nicola nicolas nicole niels nigel nikita niklas nikolai nils nina noah
    noel noor nora norah norma nour oleg olga oliver olivia olivier omar oscar oskar otto owen
    pablo pamela paola paolo pascal patricia patrick patty paul paula pauline pavel pedro peggy
    penelope peter petra phil philip philippa philippe phoebe pia pierre piet pieter piotr priya
    quentin quinn rachel rafael raj ralf ralph ramon rania raphael rashid raul ravi ray rebecca
    regina reinhard renate rené renee rené ricardo riccardo richard rick rita rob robert roberta
    roberto robin rodrigo roger roland roman romain ron ronald rosa rosalie rosie rowan roy ruben
    rudi rudolf rupert ruth ryan sabine sabrina saad sally salma sam samantha samira samuel sandra
    sandy sanjay sanne sara sarah sasha scarlett sean sebastian selma serena sergei shane shannon
    sharon sheila shirley sibylle sigrid silke silvia simon simone siobhan sofia sofie solange
    sonia sonja sophia sophie stacey stan stefan stefano stella stephan stephanie stephen steve
    steven stijn stuart sue sunil susan susanne svetlana sven sylvia sylvie tamara tanja tanya tara
    tatiana ted teresa terry tessa thea theo theodore theresa thiago thierry thomas tiago tiffany
    tilda tim timo timothy tina tobias toby tom tomas tomasz tommy tony torsten tracy trevor
    tristan trudy ulrich ulrike una ursula uwe valentina valerie vanessa vera veronica veronika
    victor victoria viktor vincent viola violet virginia vivian vlad vladimir walter wanda wendy
    werner wiebke wilfried wilhelm willem william wim wolfgang wout xavier xenia yannick yara
    yasmin yasmine youssef yuki yusuf yves yvette yvonne zachary zahra zara zoe zoë zofia zuzana
    """.split()
)
