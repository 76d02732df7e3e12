import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Ellipsis, FileUp, GitCompare, RotateCcw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { shortMessage } from '../../../../api/explain.ts'
import { type FileVersion, fileApi, versionsQuery, versionUrl } from '../../../../api/files.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Button } from '../../../../components/button.tsx'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { FileInput } from '../../../../components/forms/file-input.tsx'
import { PanelSection } from '../../../../components/layout/panel.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { toast } from '../../../../components/toast.tsx'
import { Creator } from '../creator.tsx'
import { type FileEntry, refreshFiles } from '../files-queries.ts'
import { uploadVersion } from '../upload/start-upload.ts'

const CompareDialog = lazy(async () => ({ default: (await import('./compare-dialog.tsx')).CompareDialog }))

export function VersionsSection({ file, readOnly }: { file: FileEntry; readOnly: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [comparedVersion, setComparedVersion] = useState<FileVersion>()
  const [deleting, setDeleting] = useState<FileVersion>()
  const list = useInfiniteQuery(versionsQuery(file.id))
  const versions = list.data?.pages.flatMap((page) => page.items) ?? []
  const current = versions.find((version) => version.current)
  const canChange = !readOnly && file.source === 'upload'
  const restore = async ({ version }: FileVersion) => {
    setBusy(true)
    try {
      await fileApi.fileVersions.restore({ id: file.id, version })
      toast(t`Restored version ${version}`)
      await queryClient.invalidateQueries({ queryKey: ['preview', file.id] })
    } catch (error) {
      toast(shortMessage(error))
    }
    await refreshFiles()
    setBusy(false)
  }
  return (
    <PanelSection title="Versions">
      <ul className="flex flex-col">
        {versions.map((version) => (
          <li
            key={version.version}
            className="flex min-h-row items-center gap-8 border-neutral-6 border-b py-4 text-13 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <span className="font-medium">Version {version.version}</span>
              {version.current && <span className="text-neutral-11"> · current</span>}
              <span className="block truncate text-12 text-neutral-11">
                <Creator userId={version.createdBy} />, <Time at={version.createdAt} /> ·{' '}
                {formatSize(version.size)}
              </span>
            </span>
            {!version.current && (
              <Button
                look="quiet"
                size="small-icon"
                aria-label={t`Compare version ${version.version}`}
                title="Compare with the current version"
                onClick={() => setComparedVersion(version)}
              >
                <GitCompare aria-hidden className="icon" />
              </Button>
            )}
            <Menu
              trigger={
                <Button
                  look="quiet"
                  size="small-icon"
                  aria-label={t`Actions for version ${version.version}`}
                  busy={isBusy}
                >
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction
                icon={Download}
                label="Download"
                onSelect={() => location.assign(versionUrl(file.id, version.version))}
              />
              {canChange && !version.current && (
                <>
                  <MenuAction icon={RotateCcw} label="Restore" onSelect={() => void restore(version)} />
                  <MenuAction icon={Trash2} label="Delete…" onSelect={() => setDeleting(version)} />
                </>
              )}
            </Menu>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-8 pt-8">
        {canChange && (
          <>
            <FileInput
              ref={input}
              label="New file version"
              onFiles={([chosen]) => uploadVersion(file.id, chosen!)}
            />
            <Button size="small" onClick={() => input.current?.click()}>
              <FileUp aria-hidden className="icon" />
              Upload new version
            </Button>
          </>
        )}
        {list.hasNextPage && (
          <Button look="quiet" size="small" onClick={() => list.fetchNextPage()}>
            Show older versions
          </Button>
        )}
      </div>
      {comparedVersion && current && (
        <Suspense>
          <CompareDialog
            file={file}
            older={comparedVersion}
            newer={current}
            onClose={() => setComparedVersion(undefined)}
          />
        </Suspense>
      )}
      {deleting && (
        <ConfirmDialog
          title={t`Delete version ${deleting.version}`}
          action="Delete version"
          mutate={() => fileApi.fileVersions.remove({ id: file.id, version: deleting.version })}
          invalidates={[['files']]}
          success={t`Deleted version ${deleting.version}`}
          onClose={() => setDeleting(undefined)}
        >
          <p>
            Version {deleting.version} of <Name>{file.name}</Name> ({formatSize(deleting.size)}) will be
            permanently deleted. The file and its other versions stay.
          </p>
        </ConfirmDialog>
      )}
    </PanelSection>
  )
}
