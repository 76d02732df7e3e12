import { dictionary } from '../../../../contract/dictionary.ts'

/** A text search configuration that every PostgreSQL has. `simple` stems nothing. */
export type Language = keyof typeof FREQUENT | keyof typeof SCRIPTS | 'simple'

/** More tell nothing new. */
const SAMPLE_UNITS_MAX = 6000
const WORDS_MIN = 3
/** In texts of a few sentences, one frequent word among this many is enough. */
const WORDS_PER_FREQUENT = 13
/** Of a text's words. Running text has a third; lists of names have hardly any. */
const SHARE_MIN = 0.05
const LETTERS_SHARE_MIN = 0.5

/** The language with the most frequent words, or the one of the script. */
export function detectLanguage(text: string): Language {
  const sample = text.slice(0, SAMPLE_UNITS_MAX).normalize('NFC').toLowerCase()
  const byScript = languageOfScript(sample)
  if (byScript !== null) return byScript
  const words = sample.match(/\p{L}+/gu) ?? []
  const repeats = new Map<string, number>()
  for (const word of words) if (BY_WORD.has(word)) repeats.set(word, (repeats.get(word) ?? 0) + 1)
  let best: { language: Language; weight: number; count: number } = {
    language: 'simple',
    weight: 0,
    count: 0,
  }
  for (const [language, frequent] of WORDS_BY_LANGUAGE) {
    const counts = frequent.map((word) => repeats.get(word) ?? 0)
    const weight = counts.reduce((sum, count) => sum + weightOf(count), 0)
    if (weight > best.weight)
      best = { language, weight, count: counts.reduce((sum, count) => sum + count, 0) }
  }
  const isEnough =
    best.count >= Math.min(WORDS_MIN, Math.max(1, words.length / WORDS_PER_FREQUENT)) &&
    best.count >= SHARE_MIN * words.length
  return isEnough ? best.language : 'simple'
}

/** Different words tell more than one that repeats: names have articles too, such as those of Los Angeles. */
const weightOf = (count: number) => Math.log2(1 + count)

/** Of a question, which has few words: the one of these with the most frequent words. Null if several have as many. */
export function detectAmong(text: string, languages: readonly string[]): string | null {
  const sample = text.normalize('NFC').toLowerCase()
  const byScript = languageOfScript(sample)
  if (byScript !== null) return languages.includes(byScript) ? byScript : null
  const counts = new Map(languages.map((language) => [language, 0]))
  for (const word of sample.match(/\p{L}+/gu) ?? [])
    for (const language of BY_WORD.get(word) ?? [])
      if (counts.has(language)) counts.set(language, counts.get(language)! + 1)
  const [first, second] = [...counts].toSorted((a, b) => b[1] - a[1])
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : null
}

function languageOfScript(sample: string): Language | null {
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  for (const [language, script] of Object.entries(SCRIPTS))
    if (letters > 0 && (sample.match(script)?.length ?? 0) > LETTERS_SHARE_MIN * letters)
      return language as Language
  return null
}

const SCRIPTS = {
  arabic: /\p{sc=Arab}/gu,
  armenian: /\p{sc=Armn}/gu,
  greek: /\p{sc=Grek}/gu,
  hindi: /\p{sc=Deva}/gu,
  tamil: /\p{sc=Taml}/gu,
  yiddish: /\p{sc=Hebr}/gu,
  russian: /\p{sc=Cyrl}/gu,
} as const

/** The most frequent words, without those that are as frequent in several others. */
const FREQUENT = {
  english:
    'the of and to in is was for that on with as are by this it be from at which were or an has had have their not its what how who when where why does did',
  german:
    'der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer wurde war wie wer wo wann warum welche welcher welches',
  french:
    'le la les de des du et en un une est que qui dans pour par sur au aux avec ne pas plus ce cette il elle sont été ont son ses leur où quand quel quelle comment pourquoi',
  spanish:
    'el la los las de del y en un una es que se por con para su al lo como más pero fue son sus este esta entre cuando qué cuál cuándo dónde cómo quién',
  portuguese:
    'o a os as de do da dos das e em um uma é que não para com por no na nos nas se mais como mas foi ao são sua seu pelo pela quando onde quem',
  italian:
    'il lo la i gli le di del della dei delle e in un una è che non per con su da al alla nel nella si come più sono ma anche suo sua dove quando chi quale',
  dutch:
    'de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij door werd wordt deze naar uit heeft over wat wie waar hoe',
  danish:
    'og i det at en den til er som på de med han af for ikke der var et har om hun men sig fra havde blev efter hvad hvor hvem hvornår også',
  norwegian:
    'og i det på som er en til av for at med de har den ikke om et han var fra men ble seg etter ved eller hva hvor hvem når også kan skal',
  swedish:
    'och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när eller också efter vad hur vem',
  finnish:
    'ja on ei että se oli hän mutta kun niin kuin myös ovat joka sen sekä tai mukaan vuonna jotka olla ole sitä nyt jos mitä missä kuka milloin',
  hungarian:
    'a az és hogy nem is egy ez meg csak volt mint már de ki el ha vagy kell van lehet azt ezt után amely pedig mi hol mikor hogyan',
  romanian:
    'și de în la a cu pe din că nu se este o un pentru mai care au sunt fost prin lui ca sau când unde cine',
  turkish:
    've bir bu da de için ile olarak çok daha olan gibi kadar sonra ne ise en değil var ancak olduğu tarafından nasıl nerede kim',
  catalan:
    'el la els les de del dels i en un una és que amb per al als no més va ser com són aquest aquesta seva seu quan on qui',
  indonesian:
    'yang dan di dari dengan untuk pada ini itu dalam adalah tidak oleh sebagai juga ke akan telah atau karena ada mereka apa siapa kapan',
  lithuanian:
    'ir yra kad iš į su kaip buvo bet tai ar apie per nuo po taip jo jos metų dėl prie kurie kas kur kada',
} as const

const WORDS_BY_LANGUAGE = Object.entries(dictionary(FREQUENT)).map(
  ([language, words]) => [language as Language, [...new Set(words.split(' '))]] as const,
)
const BY_WORD = new Map<string, Language[]>()
for (const [language, words] of WORDS_BY_LANGUAGE)
  for (const word of words) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), language])
