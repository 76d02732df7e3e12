import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Download, Expand, FolderInput, Trash2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { Rename } from '../../../../components/dialogs/rename.tsx'
import { TagEditor } from '../../../../components/forms/tag-editor.tsx'
import { Panel, PanelSection } from '../../../../components/layout/panel.tsx'
import { RecordFailure } from '../../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { RowTags } from '../../../../components/table/cells.tsx'
import type { FileCommands } from '../actions/file-commands.ts'
import { FileMenu } from '../actions/file-menu.tsx'
import { downloadUrl, retag } from '../file-actions.ts'
import { nameLabel } from '../file-labels.ts'
import {
  type FileDetails as Details,
  fileQuery,
  isFolder,
  refreshFiles,
  updateInLists,
} from '../files-queries.ts'
import { Preview } from '../preview/preview.tsx'
import { ReadOnlyContext, readOnlyReason, useIsFolderReadOnly } from '../read-only.ts'
import { FileDetails } from './file-details.tsx'

const RecordComments = lazy(async () => ({
  default: (await import('../../../../components/comments/record-comments.tsx')).RecordComments,
}))

const VersionsSection = lazy(async () => ({
  default: (await import('./versions-section.tsx')).VersionsSection,
}))
const PublicLinksSection = lazy(async () => ({
  default: (await import('./public-links-section.tsx')).PublicLinksSection,
}))

interface FilePanelProps {
  id: string
  commands: FileCommands
  onClose: () => void
}

export function FilePanel({ id, commands, onClose }: FilePanelProps) {
  const file = useQuery(fileQuery(id))
  return (
    <Panel title={file.data ? nameLabel(file.data.name) : t`File`} onClose={onClose}>
      {file.isPending && <SkeletonRows rows={5} />}
      {file.error && !file.data && (
        <RecordFailure
          error={file.error}
          onRetry={() => file.refetch()}
          title="File not found"
          to="/files"
          action="All files"
        />
      )}
      {file.data && <Content key={id} file={file.data} commands={commands} />}
    </Panel>
  )
}

function Content({ file, commands }: { file: Details; commands: FileCommands }) {
  const readOnly = useIsFolderReadOnly(file.projectId)
  const { comment: threadId } = useSearch({ strict: false }) as { comment?: string }
  const rename = async (name: string) => {
    await api.files.update({ id: file.id, name })
    updateInLists(file.id, { name })
    await refreshFiles()
  }
  return (
    <>
      <div className="flex items-center gap-8 border-neutral-6 border-b px-16 py-8">
        {!isFolder(file) && !file.targetMissing && (
          <Button onClick={() => commands.view(file)}>
            <Expand aria-hidden className="icon" />
            View
          </Button>
        )}
        {!file.targetMissing && (
          <a href={downloadUrl(file)} download className={buttonClass('plain')}>
            <Download aria-hidden className="icon" />
            {isFolder(file) ? t`Download as zip` : t`Download`}
          </a>
        )}
        {!file.protected && !readOnly && (
          <>
            <Button
              look="quiet"
              size="icon"
              aria-label="Move"
              title="Move"
              onClick={() => commands.openDialog({ action: 'move', files: [file] })}
            >
              <FolderInput aria-hidden className="icon" />
            </Button>
            <Button
              look="quiet"
              size="icon"
              aria-label="Delete"
              title="Delete"
              onClick={() => commands.remove([file])}
            >
              <Trash2 aria-hidden className="icon" />
            </Button>
          </>
        )}
        <span className="ml-auto">
          <ReadOnlyContext value={readOnly}>
            <FileMenu inPanel file={file} commands={commands} />
          </ReadOnlyContext>
        </span>
      </div>
      {!isFolder(file) && !file.targetMissing && (
        <section aria-label="Preview" className="border-neutral-6 border-b">
          <Preview file={file} />
        </section>
      )}
      <PanelSection title="Details">
        <div className="flex flex-col gap-12">
          {file.protected && (
            <p className="text-13 text-neutral-11">
              This folder belongs to a project and can’t be renamed, moved or deleted here.
            </p>
          )}
          {readOnly && <p className="text-13 text-neutral-11">{readOnlyReason(file.projectId)}</p>}
          {!file.protected && !readOnly && <Rename name={file.name} maxLength={255} onRename={rename} />}
          <FileDetails file={file} />
        </div>
      </PanelSection>
      <section aria-label="Comments" className="border-neutral-6 border-b">
        <h3 className="px-16 pt-16 font-medium text-12 text-neutral-11">Comments</h3>
        <Suspense>
          <RecordComments
            target={`file:${file.id}`}
            noun="file"
            projectId={file.projectId}
            threadId={threadId}
          />
        </Suspense>
      </section>
      <Suspense>
        <PublicLinksSection file={file} readOnly={readOnly} />
        {!isFolder(file) && !file.targetMissing && <VersionsSection file={file} readOnly={readOnly} />}
      </Suspense>
      <PanelSection title="Tags">
        {readOnly ? (
          <RowTags tags={file.tags} onChoose={commands.filterByTag} />
        ) : (
          <TagEditor label="Add tag" tags={file.tags} onChange={(tags) => retag(file, tags)} />
        )}
      </PanelSection>
    </>
  )
}
