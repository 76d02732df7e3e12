import { useState } from 'react'
import { inlineUrl } from '../actions/file-actions.ts'
import type { FileEntry } from '../files-queries.ts'
import { NoPreview, Preview } from '../preview/preview.tsx'
import { ImageView } from './image-view.tsx'
import { PdfView } from './pdf/pdf-view.tsx'
import { viewKindOf } from './view-kind.ts'

/** One file on the whole screen. Content never runs: text stays text, and documents are in a sandboxed frame. */
export function ViewerContent({ file }: { file: FileEntry }) {
  const [isBroken, setBroken] = useState(false)
  const kind = viewKindOf(file)
  if (kind === 'pdf')
    return (
      <PdfView
        url={inlineUrl(file)}
        name={file.name}
        fallback={(reason) => (
          <Readable>
            <p role="status" className="px-16 pt-16 text-13 text-neutral-11">
              {reason} This is its text.
            </p>
            <Preview file={file} />
          </Readable>
        )}
      />
    )
  if (kind === 'image')
    return isBroken ? (
      <Readable>
        <NoPreview file={file}>The image can’t be displayed.</NoPreview>
      </Readable>
    ) : (
      <ImageView url={inlineUrl(file)} name={file.name} onBroken={() => setBroken(true)} />
    )
  return (
    <Readable>
      <Preview file={file} />
    </Readable>
  )
}

/** `data-filling`: the preview takes the height that the viewer has, where a panel limits it. */
const Readable = ({ children }: { children: React.ReactNode }) => (
  <div
    data-filling
    className="mx-auto my-0 flex min-h-0 w-full max-w-extra-wide flex-1 flex-col overflow-y-auto bg-neutral-1 sm:border-neutral-6 sm:border-x"
  >
    {children}
  </div>
)
