import { createContext } from 'react'
import type { Citation } from '../../api/conversations.ts'

export interface CitedSource {
  /** From 1, by the text's order. Passages on one page share a number. */
  number: number
  citation: Citation
}

/** An answer's citations by key. */
export type CitedSources = ReadonlyMap<string, CitedSource>

export const NO_SOURCES: CitedSources = new Map()

export const CitedSourcesContext = createContext(NO_SOURCES)

export const Cited = CitedSourcesContext.Provider

export function numberCitations(citations: readonly Citation[]): CitedSources {
  if (citations.length === 0) return NO_SOURCES
  const numbers = new Map<string, number>()
  const sources = new Map<string, CitedSource>()
  for (const citation of citations) {
    const { source, page, heading } = citation
    const place = JSON.stringify([source.type, source.id, source.version, page ?? heading])
    const number = numbers.get(place) ?? numbers.size + 1
    numbers.set(place, number)
    sources.set(citation.key, { number, citation })
  }
  return sources
}
