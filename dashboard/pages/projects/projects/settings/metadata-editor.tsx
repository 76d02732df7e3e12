import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage, isOffline } from '../../../../api/explain.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { Code } from '../../../../components/code.tsx'
import { UnsavedEdits } from '../../../../components/dialogs/unsaved-edits.tsx'
import { NotSaved } from '../../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../../components/forms/field.tsx'
import { toast } from '../../../../components/toast.tsx'
import { changeInLists, refreshProjects } from '../project-actions.ts'
import { parseMetadata } from './parse-metadata.ts'

/** Stored by API callers, edited as validated JSON. */
export function MetadataEditor({ project }: { project: ProjectDetails }) {
  const [draft, setDraft] = useState<string>()
  const text = JSON.stringify(project.metadata, null, 2)
  const close = () => setDraft(undefined)
  if (draft !== undefined)
    return <Editor project={project} draft={draft} onChange={setDraft} onDone={close} />
  return (
    <div className="flex flex-col items-start gap-12">
      {text === '{}' ? (
        <p className="text-13 text-neutral-11">Empty. Apps can store any JSON here.</p>
      ) : (
        <div className="max-h-nested-max w-full overflow-y-auto">
          <Code what="metadata">{text}</Code>
        </div>
      )}
      <Button onClick={() => setDraft(text)}>Edit metadata</Button>
    </div>
  )
}

interface EditorProps {
  project: ProjectDetails
  draft: string
  onChange: (draft: string) => void
  onDone: () => void
}

function Editor({ project, draft, onChange, onDone }: EditorProps) {
  const parsed = parseMetadata(draft)
  const save = useMutation({
    mutationFn: (metadata: Record<string, unknown>) => api.projects.update({ id: project.id, metadata }),
    onSuccess: async ({ metadata }) => {
      changeInLists(project.id, { metadata })
      onDone()
      toast(t`Metadata saved`)
      await refreshProjects()
    },
  })
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed.value && !save.isPending) save.mutate(parsed.value)
      }}
    >
      <UnsavedEdits isChanged={!save.isPending && draft !== JSON.stringify(project.metadata, null, 2)} />
      <TextArea
        label="JSON"
        hint="A JSON object. Saving replaces all metadata."
        isLive
        error={parsed.error ?? (isOffline(save.error) ? undefined : failureMessage(save.error))}
        rows={10}
        spellCheck={false}
        className="font-mono"
        value={draft}
        onKeyDown={submitOnModEnter}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-8">
        <Button look="primary" type="submit" busy={save.isPending} disabled={!parsed.value}>
          Save metadata
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
        <NotSaved error={save.error} />
      </div>
    </form>
  )
}
