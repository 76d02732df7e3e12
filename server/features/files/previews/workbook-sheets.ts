/**
 * The list of sheets of an xlsx file, without those after the first few, and how many of them could be seen. The library
 * looks for each through all parts of the file, which takes minutes for ten thousand.
 */
export function shortenSheetList(content: Buffer, sheetsMax: number): { content: Buffer; leftOut: number } {
  let seen = 0
  let leftOut = 0
  const xml = content.toString('latin1').replace(/<(?:\w+:)?sheet\s[^>]*\/>/g, (sheet) => {
    seen++
    if (seen <= sheetsMax) return sheet
    if (!/\sstate=["'](hidden|veryHidden)/.test(sheet)) leftOut++
    return ''
  })
  return { content: Buffer.from(xml, 'latin1'), leftOut }
}
