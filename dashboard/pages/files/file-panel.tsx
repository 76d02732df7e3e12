import { useQuery } from '@tanstack/react-query'
import { Download, FolderInput, Trash2 } from 'lucide-react'
import { api } from '../../api/client.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Rename } from '../../components/dialogs/rename.tsx'
import { Failure } from '../../components/failure.tsx'
import { TagEditor } from '../../components/forms/tag-editor.tsx'
import { Panel, PanelSection } from '../../components/layout/panel.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { RowTags } from '../../components/table/row-tags.tsx'
import { downloadUrl, retag } from './actions/file-actions.ts'
import type { FileIntents } from './actions/file-intents.ts'
import { FileMenu } from './actions/file-menu.tsx'
import { FileDetails } from './file-details.tsx'
import { type FileDetails as Details, fileQuery, isFolder } from './files-queries.ts'
import { changeInLists, refreshFiles } from './listing/file-lists.ts'
import { Preview } from './preview/preview.tsx'
import { LookOnly, useIsLookOnly } from './read-only.ts'

interface FilePanelProps {
  id: string
  intents: FileIntents
  onClose: () => void
}

/** One file closely: what it holds, what is known of it, what can be done with it. */
export function FilePanel({ id, intents, onClose }: FilePanelProps) {
  const file = useQuery(fileQuery(id))
  return (
    <Panel title={file.data?.name ?? 'File'} onClose={onClose}>
      {file.isPending && <SkeletonRows rows={5} />}
      {file.error && !file.data && <Failure error={file.error} onRetry={() => file.refetch()} />}
      {file.data && <Content key={id} file={file.data} intents={intents} />}
    </Panel>
  )
}

function Content({ file, intents }: { file: Details; intents: FileIntents }) {
  const lookOnly = useIsLookOnly(file.projectId)
  const rename = async (name: string) => {
    await api.files.update({ id: file.id, name })
    changeInLists(file.id, { name })
    await refreshFiles()
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8">
        {!file.targetMissing && (
          <a href={downloadUrl(file)} download className={buttonClass('plain')}>
            <Download aria-hidden className="icon" />
            {isFolder(file) ? 'Download as zip' : 'Download'}
          </a>
        )}
        {!file.protected && !lookOnly && (
          <>
            <Button onClick={() => intents.ask({ about: 'move', files: [file] })}>
              <FolderInput aria-hidden className="icon" />
              Move
            </Button>
            <Button onClick={() => intents.remove([file])}>
              <Trash2 aria-hidden className="icon" />
              Delete
            </Button>
          </>
        )}
        <span className="ml-auto">
          <LookOnly value={lookOnly}>
            <FileMenu inPanel file={file} intents={intents} />
          </LookOnly>
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
              This folder belongs to a project, so it cannot be renamed, moved or deleted here.
            </p>
          )}
          {lookOnly && (
            <p className="text-13 text-neutral-11">
              This is in a project that you can look at, but not change.
            </p>
          )}
          {!file.protected && !lookOnly && <Rename name={file.name} maxLength={255} onRename={rename} />}
          <FileDetails file={file} />
        </div>
      </PanelSection>
      <PanelSection title="Tags">
        {lookOnly ? (
          <RowTags tags={file.tags} onChoose={intents.filterByTag} />
        ) : (
          <TagEditor label="Add a tag" tags={file.tags} onChange={(tags) => retag(file, tags)} />
        )}
      </PanelSection>
    </>
  )
}
