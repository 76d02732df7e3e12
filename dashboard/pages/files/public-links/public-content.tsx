import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { shortMessage } from '../../../api/explain.ts'
import { guestFileApi, type PublicEntry } from '../../../api/files.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { viewKind } from '../files/file-kind.tsx'
import { PreviewDocument, PreviewTable } from '../files/preview/preview-content.tsx'
import { ImageView } from '../files/viewer/image-view.tsx'
import { PdfView } from '../files/viewer/pdf-view.tsx'

interface PublicContentProps {
  guestToken: string
  url: string
  entry: PublicEntry
}

/** Content never runs: HTML and SVG show as text, documents in a sandboxed frame. */
export function PublicContent({ guestToken, url, entry }: PublicContentProps) {
  const [isBroken, setBroken] = useState(false)
  const kind = viewKind(entry)
  if (kind === 'pdf')
    return <PdfView url={url} name={entry.name} fallback={(reason) => <Note>{reason}</Note>} />
  if (kind === 'image' && !isBroken)
    return <ImageView url={url} name={entry.name} onBroken={() => setBroken(true)} />
  if (kind === 'media') {
    const Player = entry.mimeType.startsWith('audio/') ? 'audio' : 'video'
    return (
      <div className="flex min-h-0 flex-1 items-center justify-center p-16">
        <Player controls preload="metadata" src={url} aria-label={entry.name} className="max-h-full w-full" />
      </div>
    )
  }
  return <Rendered guestToken={guestToken} entry={entry} />
}

function Rendered({ guestToken, entry }: Omit<PublicContentProps, 'url'>) {
  const preview = useQuery({
    queryKey: ['public-preview', entry.id, entry.updatedAt],
    queryFn: ({ signal }) =>
      guestFileApi.publicLinks.preview({ token: guestToken, id: entry.id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isPublic: true },
    retry: (count, error) => count < 2 && !(error instanceof ApiFailure),
  })
  if (preview.error) return <Note>{shortMessage(preview.error)}. Download the file to open it.</Note>
  if (!preview.data) return <SkeletonRows rows={6} />
  const { data } = preview
  return (
    <div
      data-filling
      className="mx-auto flex min-h-0 w-full max-w-extra-wide flex-1 flex-col overflow-y-auto bg-page sm:border-neutral-6 sm:border-x"
    >
      {data.kind === 'table' && <PreviewTable sheets={data.sheets} />}
      {data.kind === 'document' && (
        <PreviewDocument html={data.html} mimeType={data.mimeType} title={entry.name} />
      )}
      {data.kind === 'text' && <PlainText name={entry.name}>{data.text}</PlainText>}
      {(data.kind === 'unsupported' || data.kind === 'image') && (
        <Note>No preview for this file type. Download the file to open it.</Note>
      )}
      {data.truncated && (
        <p className="px-16 py-8 text-12 text-neutral-11">
          The preview shows only the beginning. Download the file to read the rest.
        </p>
      )}
    </div>
  )
}

const PlainText = ({ name, children }: { name: string; children: string }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    tabIndex={0}
    aria-label={textWithNames`Text in ${name}`}
    className="min-h-0 flex-1 overflow-auto -outline-offset-2"
  >
    <pre className="whitespace-pre-wrap break-words px-16 py-12 font-mono text-12">
      {children || <span className="text-neutral-11">The file is empty.</span>}
    </pre>
  </section>
)

const Note = ({ children }: { children: ReactNode }) => (
  <p className="m-auto p-16 text-center text-13 text-neutral-11">{children}</p>
)
