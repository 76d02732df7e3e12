import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FolderOpen, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { FileFace } from '../../files/files/file-kind.tsx'
import { nameLabel } from '../../files/files/file-labels.ts'
import { fileBlock } from '../actions/drop-files.ts'
import { withParentGroup } from '../actions/editing.ts'
import { goTo } from '../actions/keyboard-navigation.ts'
import { useCanvas } from '../canvas-context.ts'
import { Outline } from './outline.tsx'

type NavigatorFile = OutputOf<Contract['projects']['navigator']>['files'][number]

export function Navigator({ projectId }: { projectId: string }) {
  const [search, setSearch] = useState('')
  return (
    <>
      <div className="relative border-neutral-6 border-b p-8">
        <Search aria-hidden className="icon pointer-events-none absolute top-16 left-16 text-neutral-11" />
        <input
          type="search"
          data-filter
          aria-label="Search canvas"
          placeholder="Search canvas"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className={`h-32 pl-32 ${CONTROL}`}
        />
      </div>
      <Outline search={search} />
      <PanelSection title="Files">
        <Files projectId={projectId} />
      </PanelSection>
    </>
  )
}

function Files({ projectId }: { projectId: string }) {
  const { project } = useCanvas()
  const navigator = useQuery({
    queryKey: ['canvas-history', projectId, 'navigator'],
    queryFn: ({ signal }) => api.projects.navigator({ id: projectId }, { signal }),
  })
  if (navigator.isPending) return <SkeletonRows rows={2} />
  if (navigator.error) return <Failure error={navigator.error} onRetry={() => navigator.refetch()} />
  const { files } = navigator.data
  return (
    <div className="flex flex-col gap-8">
      {files.length === 0 ? (
        <p className="text-13 text-neutral-11">No files yet. Drop files on the canvas to add them.</p>
      ) : (
        <ul className="-mx-8">
          <FileRows files={files} level={0} />
        </ul>
      )}
      {project.folderId && (
        <Link
          to="/files/$id"
          params={{ id: project.folderId }}
          className="flex items-center gap-8 text-12 text-selection-text hover:underline"
        >
          <FolderOpen aria-hidden className="icon" />
          Open folder
        </Link>
      )}
    </div>
  )
}

function FileRows({ files, level }: { files: NavigatorFile[]; level: number }) {
  return files.map((file) => (
    <li key={file.id}>
      <FileRow file={file} level={level} />
      {file.children && (
        <ul>
          <FileRows files={file.children as NavigatorFile[]} level={level + 1} />
        </ul>
      )}
    </li>
  ))
}

function FileRow({ file, level }: { file: NavigatorFile; level: number }) {
  const canvas = useCanvas()
  const canEdit = canvas.editable.use()
  const isFolder = file.source === 'folder'
  const place = () => {
    const block = withParentGroup(canvas, fileBlock(file, canvas.view.center()))
    canvas.store.change({ create: { blocks: [block] } })
    goTo(canvas, block.id)
  }
  const reveal = () => {
    const block = [...canvas.store.items.blocks.values()].find(({ fileId }) => fileId === file.id)
    if (block) goTo(canvas, block.id)
    else if (canEdit) place()
  }
  const row = (
    <>
      <FileFace file={file} size={20} />
      <span className="truncate">
        <Name>{nameLabel(file.name)}</Name>
      </span>
    </>
  )
  const style = { paddingLeft: `${8 + level * 16}px` }
  const rowClass = 'flex h-32 min-w-0 flex-1 items-center gap-8 text-13'
  if (isFolder) {
    return (
      <div style={style} className={`${rowClass} text-neutral-11`}>
        {row}
      </div>
    )
  }
  return (
    <div className="group flex items-center rounded-control pr-4 hover:bg-hover">
      <button
        type="button"
        onClick={reveal}
        style={style}
        className={`${rowClass} text-left -outline-offset-2`}
      >
        {row}
      </button>
      {canEdit && (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={textWithNames`Add ${file.name} to canvas`}
          title="Add to canvas"
          onClick={place}
        >
          <Plus aria-hidden className="icon" />
        </Button>
      )}
    </div>
  )
}
