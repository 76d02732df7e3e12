import { Fragment, use } from 'react'
import { splitAtKeys } from '../../../contract/agents/citation-key.ts'
import { CitationMark } from './citation-mark.tsx'
import { CitedSourcesContext } from './cited.ts'

/** The beginning of a key that is still arriving. */
const UNFINISHED = /\s?\[k[0-9a-z, ]{0,40}$/

/** Text with numbers in place of keys. A key without a citation shows nothing: it is arriving, or invented. */
export function CitedText({ text }: { text: string }) {
  const sources = use(CitedSourcesContext)
  const pieces = splitAtKeys(text)
  return pieces.map((piece, index) => {
    if (typeof piece === 'string') {
      const isLast = index === pieces.length - 1
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no identity but their index.
      return <Fragment key={index}>{isLast ? piece.replace(UNFINISHED, '') : piece}</Fragment>
    }
    const cited = piece.flatMap((key) => sources.get(key) ?? [])
    const unique = cited.filter(
      ({ number }, at) => cited.findIndex((other) => other.number === number) === at,
    )
    return unique.map(({ citation, number }) => (
      <CitationMark key={citation.key} citation={citation} number={number} />
    ))
  })
}
