import type { ReactNode } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Copy, CopyId } from '../../../../components/copy.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { FolderLink, ROOT } from '../breadcrumbs.tsx'
import { Creator } from '../creator.tsx'
import { typeName } from '../file-labels.ts'
import { type FileDetails as Details, isFolder, pathTo } from '../files-queries.ts'
import { FileKnowledge } from './file-knowledge.tsx'

export function FileDetails({ file }: { file: Details }) {
  const ancestors = [ROOT, ...pathTo(file).slice(0, -1)]
  return (
    <dl className="flex flex-col gap-8 text-13">
      <Fact label="Location">
        <span className="flex flex-wrap items-center gap-x-4">
          {ancestors.map(({ id, name }, index) => (
            <span key={id} className="inline-flex min-w-0 items-center gap-4">
              {index > 0 && <span className="text-neutral-11">/</span>}
              <FolderLink
                id={id}
                name={name}
                className="truncate rounded-control underline-offset-4 hover:underline"
              >
                <Name>{name}</Name>
              </FolderLink>
            </span>
          ))}
        </span>
      </Fact>
      {file.source === 'link' && (
        <Fact label="Target">
          {file.targetMissing || !file.targetFileId ? (
            <span className="text-warning-text">Missing or in trash</span>
          ) : (
            <CopyId id={file.targetFileId} what="target ID" />
          )}
        </Fact>
      )}
      <Fact label="Type">
        <span title={isFolder(file) ? undefined : file.mimeType}>{typeName(file.mimeType)}</span>
      </Fact>
      {!isFolder(file) && !file.targetMissing && (
        <Fact label="Size">
          <span title={t`${file.size.toLocaleString(LOCALE)} bytes`}>{formatSize(file.size)}</span>
        </Fact>
      )}
      {file.knowledge && (
        <Fact label="Knowledge">
          <FileKnowledge knowledge={file.knowledge} />
        </Fact>
      )}
      {file.sha256 && (
        <Fact label="SHA-256">
          <span className="inline-flex items-center gap-4">
            <code title={file.sha256} className="font-mono text-12">
              {file.sha256.slice(0, 12)}…
            </code>
            <Copy value={file.sha256} what="SHA-256" />
          </span>
        </Fact>
      )}
      <Fact label="ID">
        <CopyId id={file.id} what="file ID" />
      </Fact>
      <Fact label="Uploaded">
        <Creator userId={file.createdBy} />, <Time at={file.createdAt} />
      </Fact>
      <Fact label="Modified">
        <Time at={file.updatedAt} />
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-8">
      <dt className="w-when shrink-0 text-neutral-11">{label}</dt>
      <dd className="min-w-0 flex-1">{children}</dd>
    </div>
  )
}
