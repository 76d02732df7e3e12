import { lazy, Suspense } from 'react'
import { useOpenedCitation } from '../components/citations/open-citation.ts'

/** With the libraries that draw a file. */
const CitationViewer = lazy(async () => ({
  default: (await import('../pages/files/files/viewer/citation-viewer.tsx')).CitationViewer,
}))

export function OpenedCitation() {
  const { citation, close } = useOpenedCitation()
  if (!citation) return null
  return (
    <Suspense>
      <CitationViewer citation={citation} onClose={close} />
    </Suspense>
  )
}
