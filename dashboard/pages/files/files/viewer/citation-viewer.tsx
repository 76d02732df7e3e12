import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { api } from '../../../../api/client.ts'
import type { Citation } from '../../../../api/conversations.ts'
import { fileApi } from '../../../../api/files.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { highlightPassage } from '../../../../components/citations/highlight-passage.ts'
import { Modal } from '../../../../components/dialogs/dialog.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Name } from '../../../../components/name.tsx'
import { RecordFailure } from '../../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { KindIcon, viewKind } from '../file-kind.tsx'
import { nameLabel } from '../file-labels.ts'
import { type FileEntry, fileQuery } from '../files-queries.ts'
import { PreviewContent } from '../preview/preview.tsx'
import { PdfView } from './pdf-view.tsx'

interface CitationViewerProps {
  citation: Citation
  onClose: () => void
}

/** Opens a file at a cited passage, in the version that was read. */
export function CitationViewer({ citation, onClose }: CitationViewerProps) {
  const { source, version } = citation
  const file = useQuery(fileQuery(source.id))
  return (
    <Modal
      label={textWithNames`Source: ${nameLabel(source.name)}`}
      onClose={onClose}
      full
      className="max-w-full"
    >
      <div className="flex h-full flex-col bg-inset">
        <header className="flex shrink-0 items-center gap-8 border-neutral-6 border-b bg-page py-8 pr-8 pl-16">
          {file.data && <KindIcon file={file.data} />}
          <h2 className="min-w-0 flex-1 truncate font-strong" title={source.name}>
            <Name>{nameLabel(source.name)}</Name>
          </h2>
          {file.data && version !== null && (
            <a
              href={versionUrl(source.id, version)}
              download={file.data.name}
              aria-label="Download"
              title="Download"
              className={buttonClass('quiet', 'icon')}
            >
              <Download aria-hidden className="icon" />
            </a>
          )}
          <Button
            look="quiet"
            size="icon"
            aria-label="Close"
            title="Close (Esc)"
            data-autofocus
            onClick={onClose}
          >
            <X aria-hidden className="icon" />
          </Button>
        </header>
        {file.data && <ChangedNote file={file.data} version={version} />}
        <div className="flex min-h-0 flex-1 flex-col">
          {file.error && (
            <div className="m-auto flex flex-col gap-16">
              <RecordFailure
                error={file.error}
                onRetry={() => file.refetch()}
                title="File not found"
                to="/files"
                action="All files"
              />
              <Quote quote={citation.quote} />
            </div>
          )}
          {file.data && <CitedContent file={file.data} citation={citation} />}
        </div>
      </div>
    </Modal>
  )
}

const versionUrl = (id: string, version: number) => `/api/v1/files/${id}/versions/${version}`

function ChangedNote({ file, version }: { file: FileEntry; version: number | null }) {
  const newest = useQuery({
    queryKey: ['files', 'newest-version', file.id, file.sha256],
    queryFn: ({ signal }) => fileApi.fileVersions.list({ id: file.id, limit: 1 }, { signal }),
  }).data?.items[0]?.version
  if (version === null || newest === undefined || newest === version) return null
  return (
    <p
      role="status"
      className="shrink-0 border-neutral-6 border-b bg-warning-wash px-16 py-4 text-13 text-neutral-12"
    >
      {t`The file has changed since: this is version ${version} of ${newest}.`}{' '}
      <Link to="/files" search={{ view: file.id }} className="underline">
        Open current version
      </Link>
    </p>
  )
}

function CitedContent({ file, citation }: { file: FileEntry; citation: Citation }) {
  const { version, page, quote } = citation
  const isPdf = viewKind(file) === 'pdf' && version !== null
  if (!isPdf) return <CitedPreview file={file} citation={citation} />
  return (
    <PdfView
      url={`${versionUrl(file.id, version)}?inline=true`}
      name={file.name}
      passage={page === null ? undefined : { page, quote }}
      fallback={() => <CitedPreview file={file} citation={citation} />}
    />
  )
}

function CitedPreview({ file, citation: { version, quote } }: { file: FileEntry; citation: Citation }) {
  const content = useRef<HTMLDivElement>(null)
  const preview = useQuery({
    queryKey: ['preview', file.id, version],
    queryFn: ({ signal }) =>
      version === null
        ? api.files.preview({ id: file.id }, { signal })
        : fileApi.fileVersions.preview({ id: file.id, version }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isLoaded = preview.data !== undefined
  useEffect(() => {
    if (!isLoaded) return
    const frame = content.current!.querySelector('iframe')
    if (!frame) return highlightPassage(content.current!, quote)
    const inFrame = () => frame.contentDocument && highlightPassage(frame.contentDocument.body, quote)
    frame.addEventListener('load', inFrame)
    return () => frame.removeEventListener('load', inFrame)
  }, [isLoaded, quote])
  if (preview.isPending) return <SkeletonRows rows={4} />
  return (
    <div
      ref={content}
      data-filling
      className="mx-auto my-0 flex min-h-0 w-full max-w-extra-wide flex-1 flex-col overflow-y-auto bg-page sm:border-neutral-6 sm:border-x"
    >
      {preview.error ? (
        <>
          <Failure error={preview.error} onRetry={() => preview.refetch()} />
          <Quote quote={quote} />
        </>
      ) : (
        <PreviewContent content={preview.data} file={file} />
      )}
    </div>
  )
}

/** What was read, if the file itself can't be shown. */
const Quote = ({ quote }: { quote: string }) => (
  <blockquote className="mx-16 my-16 whitespace-pre-line border-neutral-6 border-l-2 pl-12 text-13 text-neutral-11 wrap-anywhere">
    {quote}
  </blockquote>
)
