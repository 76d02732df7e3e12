import { PreviewError } from './job.ts'

/** Word nests a few dozen levels at most; the libraries parse recursively. */
const DEPTH_MAX = 256

/** Refuses XML that is nested too deeply or has a DOCTYPE or entities, which office documents never have. */
export function checkXml(content: Buffer): void {
  const xml = content.toString('latin1')
  if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY')) throw new PreviewError('too_complex')
  let depth = 0
  /** Where the current tag ends. Searched once per tag, and never again after the last one: the scan stays linear. */
  let end = -1
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml[at + 1]
    if (end < at) end = endOfTag(xml, at)
    if (next === '/') depth--
    else if (next !== '?' && next !== '!' && xml[end - 1] !== '/') depth++
    if (depth > DEPTH_MAX) throw new PreviewError('too_complex')
  }
}

function endOfTag(xml: string, at: number): number {
  const end = xml.indexOf('>', at)
  return end === -1 ? Infinity : end
}
