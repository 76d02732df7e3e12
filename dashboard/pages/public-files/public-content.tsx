import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublicEntry } from '../../api/files/files.ts'
import { ImageView } from '../files/viewer/image-view.tsx'
import { PdfView } from '../files/viewer/pdf/pdf-view.tsx'
import { viewKindOf } from '../files/viewer/view-kind.ts'

const TEXT_BYTES_MAX = 524_288
const TEXT = /^text\/|[+/](json|xml|yaml|javascript|typescript)$/

/** A file of a public link. Text of every kind, HTML and SVG included, is shown as text. */
export function PublicContent({ url, entry }: { url: string; entry: PublicEntry }) {
  const [isBroken, setBroken] = useState(false)
  const kind = viewKindOf(entry)
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
  if (TEXT.test(entry.mimeType) && entry.size <= TEXT_BYTES_MAX)
    return <PlainText url={url} name={entry.name} />
  return <Note>No preview for this file. Download it to open it.</Note>
}

function PlainText({ url, name }: { url: string; name: string }) {
  const text = useQuery({
    queryKey: ['public-text', url],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`The file responded with ${response.status}`)
      return response.text()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (text.error) return <Note>The file can’t be displayed. Reload the page to try again.</Note>
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
      tabIndex={0}
      aria-label={`Text of ${name}`}
      className="mx-auto min-h-0 w-full max-w-spread flex-1 overflow-auto bg-neutral-1 -outline-offset-2"
    >
      <pre className="whitespace-pre-wrap break-words px-16 py-12 font-mono text-12">{text.data}</pre>
    </section>
  )
}

const Note = ({ children }: { children: string }) => (
  <p className="m-auto p-16 text-center text-13 text-neutral-11">{children}</p>
)
