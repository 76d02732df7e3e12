import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { refreshSkills, type SkillPreview, skillApi } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'

/** Shows everything in an archive before it becomes organization instructions. */
export function ImportDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['skills', 'preview', file.name, file.size, file.lastModified],
    queryFn: async ({ signal }) => {
      const archive = await base64Of(file)
      return { archive, contents: await skillApi.skills.preview({ archive }, { signal }) }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (archive: string) => skillApi.skills.import({ archive, replace: 'true' }),
    onSuccess: async ({ id, name }) => {
      await refreshSkills()
      toast(withNames`Imported ${name}`)
      onClose()
      await navigate({ to: '/skills/$id', params: { id } })
    },
  })
  const replaces = preview.data?.contents.replaces
  return (
    <Dialog title={withNames`Import ${file.name}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        <FormFailure>{failureMessage(preview.error ?? save.error)}</FormFailure>
        {preview.isPending && <SkeletonRows rows={4} />}
        {preview.data && <Contents contents={preview.data.contents} />}
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          {preview.data && (
            <Button look="primary" busy={save.isPending} onClick={() => save.mutate(preview.data.archive)}>
              {replaces ? t`Replace version ${replaces.version}` : t`Import skill`}
            </Button>
          )}
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function Contents({ contents }: { contents: SkillPreview }) {
  const [openPath, setOpenPath] = useState('SKILL.md')
  const shownText =
    openPath === 'SKILL.md'
      ? contents.instructions
      : contents.files.find(({ path }) => path === openPath)?.text
  return (
    <>
      <p className="text-13 text-neutral-11">
        Agents with this skill follow its text. Review the text and files before you import them.
      </p>
      <div>
        <h3 className="font-medium">{contents.name}</h3>
        <p className="wrap-anywhere text-13 text-neutral-11">{contents.description}</p>
      </div>
      <ul aria-label="Files" className="flex flex-wrap gap-4">
        {['SKILL.md', ...contents.files.map(({ path }) => path)].map((path) => (
          <li key={path}>
            <Button size="small" aria-pressed={path === openPath} onClick={() => setOpenPath(path)}>
              {path}
            </Button>
          </li>
        ))}
      </ul>
      <pre className="wrap-anywhere max-h-panel-max overflow-y-auto whitespace-pre-wrap rounded-control border border-neutral-6 p-8 font-mono text-12">
        {shownText ?? t`This file isn’t text, so agents can’t read it.`}
      </pre>
    </>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(binary)
}
