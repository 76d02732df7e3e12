import { use } from 'react'
import { t } from '../../../contract/text.ts'
import { Name } from '../name.tsx'
import { describePlace } from './citation-mark.tsx'
import { CitedSourcesContext } from './cited.ts'
import { opens, useOpenCitation } from './open-citation.ts'

/** What an answer cites, once each. */
export function Sources() {
  const sources = use(CitedSourcesContext)
  const openCitation = useOpenCitation()
  if (sources.size === 0) return null
  const unique = new Map([...sources.values()].map((source) => [source.number, source.citation]))
  return (
    <ol aria-label={t`Sources`} className="flex flex-wrap gap-x-12 gap-y-4 text-12 text-neutral-11">
      {[...unique].map(([number, citation]) => (
        <li key={number} className="min-w-0 max-w-full">
          {opens(citation) ? (
            <button
              type="button"
              className="max-w-full text-left hover:text-neutral-12 hover:underline"
              onClick={() => openCitation(citation)}
            >
              <SourceLabel number={number} label={describePlace(citation)} />
            </button>
          ) : (
            <SourceLabel number={number} label={describePlace(citation)} />
          )}
        </li>
      ))}
    </ol>
  )
}

const SourceLabel = ({ number, label }: { number: number; label: string }) => (
  <span className="flex min-w-0 items-center gap-4">
    <span aria-hidden className="citation">
      {number}
    </span>
    <span className="min-w-0 truncate">
      <Name>{label}</Name>
    </span>
  </span>
)
