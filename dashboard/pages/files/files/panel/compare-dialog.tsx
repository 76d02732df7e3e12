import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../../contract/text.ts'
import { type FileVersion, versionUrl } from '../../../../api/files.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Dialog } from '../../../../components/dialogs/dialog.tsx'
import { SideBySide } from '../../../../components/diff/diff.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { typeName } from '../file-labels.ts'
import type { FileEntry } from '../files-queries.ts'

/** Diffing longer texts takes too long. */
const TEXT_BYTES_MAX = 1_048_576
const TEXT = /^text\/|[+/](json|xml|yaml|javascript|typescript)$/
const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/

interface CompareDialogProps {
  file: FileEntry
  older: FileVersion
  newer: FileVersion
  onClose: () => void
}

export function CompareDialog({ file, older, newer, onClose }: CompareDialogProps) {
  const versions = [older, newer]
  const isText = versions.every(({ mimeType, size }) => TEXT.test(mimeType) && size <= TEXT_BYTES_MAX)
  const isImage = versions.every(({ mimeType }) => IMAGE.test(mimeType))
  return (
    <Dialog
      size="wide"
      title={withNames`${file.name}: versions ${older.version} and ${newer.version}`}
      onClose={onClose}
    >
      <div className="@container">
        {isText ? (
          <Texts file={file} older={older} newer={newer} />
        ) : isImage ? (
          <div className="grid gap-12 sm:grid-cols-2">
            {versions.map((version) => (
              <figure key={version.version} className="min-w-0">
                <figcaption className="pb-4 text-12 text-neutral-11">{labelOf(version)}</figcaption>
                <img
                  src={versionUrl(file.id, version.version, true)}
                  alt={labelOf(version)}
                  className="w-full rounded-control border border-neutral-6 bg-inset object-contain"
                />
              </figure>
            ))}
          </div>
        ) : (
          <Facts versions={versions} />
        )}
      </div>
    </Dialog>
  )
}

function Texts({ file, older, newer }: Omit<CompareDialogProps, 'onClose'>) {
  const texts = useQuery({
    queryKey: ['files', 'compared', file.id, older.sha256, newer.sha256],
    queryFn: ({ signal }) =>
      Promise.all([older, newer].map(({ version }) => readText(versionUrl(file.id, version, true), signal))),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (texts.error) return <Failure error={texts.error} onRetry={() => texts.refetch()} />
  if (!texts.data) return <SkeletonRows rows={4} />
  const [before = '', after = ''] = texts.data
  if (before === after) return <p className="text-neutral-11">Both versions have the same text.</p>
  return <SideBySide before={before} after={after} labels={[labelOf(older), labelOf(newer)]} />
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(t`Couldn’t load the version (status ${response.status})`)
  return response.text()
}

const Facts = ({ versions }: { versions: FileVersion[] }) => (
  <table className="w-full text-13 tabular-nums">
    <thead>
      <tr className="text-left text-neutral-11">
        <th scope="col">Version</th>
        <th scope="col">Type</th>
        <th scope="col">Size</th>
        <th scope="col">SHA-256</th>
      </tr>
    </thead>
    <tbody>
      {versions.map((version) => (
        <tr key={version.version} className="align-top">
          <td>{version.version}</td>
          <td className="pr-8" title={version.mimeType}>
            {typeName(version.mimeType)}
          </td>
          <td className="whitespace-nowrap pr-8">{formatSize(version.size)}</td>
          <td className="break-all font-mono text-12">{version.sha256}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const labelOf = ({ version, current }: FileVersion) => t`Version ${version}${current ? t` (current)` : ''}`
