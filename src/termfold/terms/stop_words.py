"""Short lists of words that say little about a text's subject.

Function words only: articles, pronouns, prepositions, conjunctions, auxiliary verbs. Words of two
characters and more, in lower case, as the analyzer splits them (so ``don't`` is ``don``).
"""

from __future__ import annotations

_ENGLISH = """
about above after again against all also am an and any are aren as at be because been before being
below between both but by can cannot could couldn did didn do does doesn doing don down during
each either few for from further had hadn has hasn have haven having he her here hers herself him
himself his how however if in into is isn it its itself just ll may me might more most must my
myself neither no nor not now of off on once one only onto or other our ours ourselves out over
own per rather re same shall she should shouldn since so some such than that the their theirs them
themselves then there therefore these they this those though through thus to too under until up
upon us ve very was wasn we were weren what when where whether which while who whom whose why will
with within without won would wouldn yet you your yours yourself yourselves
"""

_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes
auch auf aus bei beim bin bis bist da dabei dadurch dafür damit dann daran darauf daraus darin das
dass daß davon dazu dein deine dem den denn der deren des dessen die dies diese diesem diesen
dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen
hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres
im in indem ins ist ja jede jedem jeden jeder jedes jedoch jene jetzt kann kein keine keinem
keinen keiner können konnte machen man mehr mein meine mich mir mit muss müssen nach nicht nichts
noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so sogar solche soll
sollen sollte sondern sonst sowie über um und uns unser unter vom von vor während war waren was
weg weil weiter welche welchem welchen welcher wenn wer werde werden wie wieder will wir wird wo
wollen wurde wurden zu zum zur zwar zwischen
"""

_FRENCH = """
ai ainsi au aucun aucune aussi autre autres aux avait avant avec avoir avons car ce ceci cela
celle celles celui cependant ces cet cette ceux chaque chez ci comme comment contre dans de depuis
des donc dont du elle elles en encore entre est et étaient était étant été être eu eux fait il ils
je la le les leur leurs lors lui ma mais me même mes mon ne ni nos notre nous on ont ou où par
parce pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui sa sans se selon
ses si sien son sont sous sur ta te tes toi ton tous tout toute toutes très tu un une vers vos
votre vous
"""

_SPANISH = """
al algo algunas algunos ante antes así aún aunque bajo bien cada casi como con contra cual cuales
cuando de del desde donde dos durante el él ella ellas ellos en entre era eran es esa esas ese eso
esos esta está están estas este esto estos fue fueron ha había han has hasta hay la las le les lo
los más me mi mientras mis mismo muy nada ni no nos nosotros nuestra nuestro otra otras otro otros
para pero poco por porque pues que qué quien quienes se sea según ser si sí sido sin sino sobre
solo son su sus también tan tanto te tiene tienen toda todas todo todos tras tu tus un una unas
uno unos usted ya yo
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "english": frozenset(_ENGLISH.split()),
    "french": frozenset(_FRENCH.split()),
    "german": frozenset(_GERMAN.split()),
    "spanish": frozenset(_SPANISH.split()),
}
