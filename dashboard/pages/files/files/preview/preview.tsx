import { useQuery } from '@tanstack/react-query'
import { Download, ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { buttonClass } from '../../../../components/button.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { downloadUrl, inlineUrl } from '../file-actions.ts'
import { type Preview as Content, type FileEntry, previewQuery } from '../files-queries.ts'
import { PreviewDocument, PreviewTable } from './preview-content.tsx'

/** Never executes content: text renders as text, documents in a sandboxed frame. */
export function Preview({ file }: { file: FileEntry }) {
  if (/^(audio|video)\//.test(file.mimeType)) return <Media file={file} />
  return <LoadedPreview file={file} />
}

function LoadedPreview({ file }: { file: FileEntry }) {
  const preview = useQuery(previewQuery(file.id))
  if (preview.isPending) return <SkeletonRows rows={4} />
  if (preview.error instanceof ApiFailure && preview.error.code === 'BAD_REQUEST') {
    return <NoPreview file={file}>{preview.error.message}.</NoPreview>
  }
  if (preview.error) return <Failure error={preview.error} onRetry={() => preview.refetch()} />
  return (
    <>
      <PreviewContent content={preview.data} file={file} />
      {preview.data.truncated && (
        <p className="px-16 py-8 text-12 text-neutral-11">
          Preview truncated. Download the file to see everything.
        </p>
      )}
    </>
  )
}

export function PreviewContent({ content, file }: { content: Content; file: FileEntry }) {
  switch (content.kind) {
    case 'text':
      return <PlainText content={content} file={file} />
    case 'table':
      return <PreviewTable sheets={content.sheets} />
    case 'document':
      return <PreviewDocument html={content.html} mimeType={content.mimeType} title={file.name} />
    case 'image':
      return <Picture url={content.url} file={file} />
    case 'unsupported':
      return <NoPreview file={file}>No preview for this file type.</NoPreview>
  }
}

function PlainText({ content, file }: { content: Extract<Content, { kind: 'text' }>; file: FileEntry }) {
  const isPdf = content.pages !== null
  return (
    <>
      {isPdf && (
        <p className="flex items-center gap-8 border-neutral-6 border-b px-16 py-4 text-12 text-neutral-11">
          Text from {content.pages === 1 ? t`1 page` : t`${content.pages!} pages`}
          <a
            href={inlineUrl(file)}
            target="_blank"
            rel="noreferrer"
            className={`${buttonClass('quiet', 'small')} ml-auto`}
          >
            <ExternalLink aria-hidden className="icon" />
            Open PDF
          </a>
        </p>
      )}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-label={textWithNames`Text in ${file.name}`}
        className="max-h-nested-max overflow-auto bg-inset in-data-filling:max-h-none in-data-filling:flex-1 -outline-offset-2"
      >
        <pre
          className={`whitespace-pre-wrap break-words px-16 py-12 ${isPdf ? 'font-sans text-13' : 'font-mono text-12'}`}
        >
          {content.text || <span className="text-neutral-11">The file is empty.</span>}
        </pre>
      </section>
    </>
  )
}

function Picture({ url, file }: { url: string; file: FileEntry }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <NoPreview file={file}>The image can’t be displayed.</NoPreview>
  return (
    <div className="flex max-h-nested-max justify-center bg-inset p-16">
      <img
        src={url}
        alt={file.name}
        onError={() => setBroken(true)}
        className="min-h-0 max-w-full rounded-control object-contain"
      />
    </div>
  )
}

function Media({ file }: { file: FileEntry }) {
  const Player = file.mimeType.startsWith('audio/') ? 'audio' : 'video'
  return (
    <div className="flex justify-center bg-inset p-16">
      <Player
        controls
        preload="metadata"
        src={inlineUrl(file)}
        aria-label={file.name}
        className="max-h-nested-max w-full in-data-filling:max-h-panel-max"
      />
    </div>
  )
}

export function NoPreview({ file, children }: { file: FileEntry; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-12 bg-inset px-16 py-24 text-13 text-neutral-11">
      {children}
      <a href={downloadUrl(file)} download={file.name} className={buttonClass('plain')}>
        <Download aria-hidden className="icon" />
        Download
      </a>
    </div>
  )
}
