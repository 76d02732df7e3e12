import { PreviewError } from './job.ts'

/** Word nests a few dozen deep at most; the libraries descend by recursion. */
const DEPTH_MAX = 256

/** Refuses XML that is nested too deep, or that declares types and entities, which office documents never do. */
export function checkXml(content: Buffer): void {
  const xml = content.toString('latin1')
  if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY')) throw new PreviewError('too_complex')
  let depth = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml[at + 1]
    if (next === '/') depth--
    else if (next !== '?' && next !== '!' && !isClosedAtOnce(xml, at)) depth++
    if (depth > DEPTH_MAX) throw new PreviewError('too_complex')
  }
}

function isClosedAtOnce(xml: string, at: number): boolean {
  const end = xml.indexOf('>', at)
  return end !== -1 && xml[end - 1] === '/'
}
