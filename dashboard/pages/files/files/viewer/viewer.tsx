import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download, Info, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { Modal } from '../../../../components/dialogs/dialog.tsx'
import { Name } from '../../../../components/name.tsx'
import { RecordFailure } from '../../../../components/record-failure.tsx'
import { downloadUrl, inlineUrl } from '../file-actions.ts'
import { KindIcon, viewKind } from '../file-kind.tsx'
import { nameLabel } from '../file-labels.ts'
import { type FileEntry, fileQuery } from '../files-queries.ts'
import { NoPreview, Preview } from '../preview/preview.tsx'
import { ImageView } from './image-view.tsx'
import { PdfView } from './pdf-view.tsx'

interface ViewerProps {
  id: string
  /** In list order. */
  files: FileEntry[]
  /** Undefined at the end of the list. */
  loadMore: (() => unknown) | undefined
  onShow: (id: string) => void
  onDetails: (id: string) => void
  onClose: () => void
}

export function Viewer({ id, files, loadMore, onShow, onDetails, onClose }: ViewerProps) {
  const listed = files.find((file) => file.id === id)
  const loaded = useQuery({ ...fileQuery(id), enabled: !listed })
  const file = listed ?? loaded.data
  const index = files.findIndex((other) => other.id === id)
  const previous = files[index - 1]?.id
  const next = index < 0 ? undefined : files[index + 1]?.id
  const isLast = index >= 0 && next === undefined
  useEffect(() => {
    if (isLast) loadMore?.()
  }, [isLast, loadMore])

  const move = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    // Players, tabs and zoomed content use arrow keys themselves.
    if (!to || (event.target as HTMLElement).closest('audio, video, input, select, [role=tab]')) return
    event.preventDefault()
    onShow(to)
  }
  return (
    <Modal
      label={file ? textWithNames`Viewer: ${nameLabel(file.name)}` : t`Viewer`}
      onClose={onClose}
      full
      className="max-w-full"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys also have buttons. */}
      <div onKeyDown={move} className="flex h-full flex-col bg-inset">
        <header className="flex shrink-0 items-center gap-8 border-neutral-6 border-b bg-page py-8 pr-8 pl-16">
          {file && <KindIcon file={file} />}
          <h2 className="min-w-0 truncate font-strong" title={file?.name}>
            {file ? <Name>{nameLabel(file.name)}</Name> : '…'}
          </h2>
          <span className="min-w-0 flex-1 truncate whitespace-nowrap text-13 text-neutral-11 tabular-nums">
            {file && <span className="max-sm:hidden">{formatSize(file.size)}</span>}
          </span>
          <Step label="Previous" shortcut="←" onClick={previous ? () => onShow(previous) : undefined}>
            <ChevronLeft aria-hidden className="icon" />
          </Step>
          <span
            role="status"
            className="whitespace-nowrap text-12 text-neutral-11 tabular-nums max-sm:sr-only"
          >
            {index >= 0 && t`${index + 1} of ${files.length}${loadMore ? '+' : ''}`}
          </span>
          <Step label="Next" shortcut="→" onClick={next ? () => onShow(next) : undefined}>
            <ChevronRight aria-hidden className="icon" />
          </Step>
          {file && (
            <>
              <a
                href={downloadUrl(file)}
                download
                aria-label="Download"
                title="Download"
                className={buttonClass('quiet', 'icon')}
              >
                <Download aria-hidden className="icon" />
              </a>
              <Button
                look="quiet"
                size="icon"
                aria-label="Details"
                title="Details"
                onClick={() => onDetails(id)}
              >
                <Info aria-hidden className="icon" />
              </Button>
            </>
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
        <div className="flex min-h-0 flex-1 flex-col">
          {loaded.error && !file && (
            <div className="m-auto">
              <RecordFailure
                error={loaded.error}
                onRetry={() => loaded.refetch()}
                title="File not found"
                to="/files"
                action="All files"
              />
            </div>
          )}
          {file && <ViewerContent key={`${id} ${file.sha256}`} file={file} />}
        </div>
      </div>
    </Modal>
  )
}

interface StepProps {
  label: string
  shortcut: string
  onClick: (() => void) | undefined
  children: ReactNode
}

const Step = ({ label, shortcut, onClick, children }: StepProps) => (
  <Button
    look="quiet"
    size="icon"
    aria-label={label}
    title={`${label} (${shortcut})`}
    disabled={!onClick}
    onClick={onClick}
  >
    {children}
  </Button>
)

/** Content never runs: text stays text, and documents are in a sandboxed frame. */
function ViewerContent({ file }: { file: FileEntry }) {
  const [isBroken, setBroken] = useState(false)
  const kind = viewKind(file)
  if (kind === 'pdf')
    return (
      <PdfView
        url={inlineUrl(file)}
        name={file.name}
        fallback={(reason) => (
          <Readable>
            <p role="status" className="px-16 pt-16 text-13 text-neutral-11">
              {reason} Here’s its text instead.
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

/** `data-filling`: the preview fills the viewer's height; in a panel it's limited. */
const Readable = ({ children }: { children: React.ReactNode }) => (
  <div
    data-filling
    className="mx-auto my-0 flex min-h-0 w-full max-w-extra-wide flex-1 flex-col overflow-y-auto bg-page sm:border-neutral-6 sm:border-x"
  >
    {children}
  </div>
)
