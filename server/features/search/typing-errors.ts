/** The alphabets of typing errors: replacement letters are from the alphabet of the word. */
const ALPHABETS = [
  ['\\p{Script=Latin}', 'abcdefghijklmnopqrstuvwxyz'],
  ['\\p{Script=Cyrillic}', 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  ['\\p{Script=Greek}', 'αβγδεζηθικλμνξοπρστυφχψω'],
  ['\\p{Number}', '0123456789'],
].map(([script, letters]) => ({ isIn: new RegExp(script!, 'u'), letters: [...letters!] }))

/** Every variant with one letter removed, added or replaced, or with two letters swapped: about 60 per letter. */
export function withOneError(word: string): Set<string> {
  const letters = [...word]
  const replacements = ALPHABETS.filter(({ isIn }) => isIn.test(word)).flatMap((alphabet) => alphabet.letters)
  const variants = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)]
    for (const other of replacements) {
      variants.add(before + other + after.join(''))
      if (after.length > 0) variants.add(before + other + after.slice(1).join(''))
    }
    if (after.length > 0) variants.add(before + after.slice(1).join(''))
    if (after.length > 1) variants.add(before + after[1]! + after[0]! + after.slice(2).join(''))
  }
  variants.delete(word)
  return variants
}
