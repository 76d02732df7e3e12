/**
 * Truncates the sheet list of an xlsx file, and counts the visible sheets that it removes. The library searches all parts
 * of the file for each sheet, which takes minutes for ten thousand sheets.
 */
export function shortenSheetList(
  content: Buffer,
  sheetsMax: number,
): { content: Buffer; omittedSheets: number } {
  let seen = 0
  let omittedSheets = 0
  const xml = content.toString('latin1').replace(/<(?:\w+:)?sheet\s[^<>]*\/>/g, (sheet) => {
    seen++
    if (seen <= sheetsMax) return sheet
    if (!/\sstate=["'](hidden|veryHidden)/.test(sheet)) omittedSheets++
    return ''
  })
  return { content: Buffer.from(xml, 'latin1'), omittedSheets }
}
