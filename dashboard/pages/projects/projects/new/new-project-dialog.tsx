import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import { projectQuery, projectRef } from '../../../../api/projects.ts'
import { useSession } from '../../../../api/session.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../../components/dialogs/use-create-dialog.ts'
import { submitOnModEnter, TextArea, TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { toast } from '../../../../components/toast.tsx'
import { nextPath } from '../../../accounts/sign-in/use-sign-in.ts'
import { refreshProjects } from '../project-actions.ts'
import { asVisibility, VISIBILITIES, VISIBILITY_NAMES } from '../project-labels.ts'
import { CanvasPreview, ProjectPreview } from '../project-preview.tsx'
import { type Template, templatesQuery } from '../templates/templates-queries.ts'
import { useProjectsSearch, useReturnTo } from '../use-projects.ts'
import { EmojiField } from './emoji-field.tsx'

/** The server's fallback when it can't generate a name. */
const UNTITLED = t`Untitled project`
const NOT_NAMED = t`Couldn’t generate a name: no language model is set up, or it didn’t respond. Click the name to change it.`

export function NewProjectDialog() {
  const { user } = useSession()
  const { start = '', ...search } = useProjectsSearch()
  const navigate = useNavigate()
  const { history } = useRouter()
  const returnTo = useReturnTo()
  const [draft, setDraft] = useState({ name: '', emoji: '', description: '', prompt: '' })
  const [visibility, setVisibility] = useState(user.settings.defaultProjectVisibility)
  const update = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const close = () => (returnTo ? history.replace(nextPath(returnTo)) : navigate({ to: '/projects', search }))
  const source = useStartingPoint(start)
  const isAutoNamed = !source && draft.name.trim() === '' && draft.description.trim() !== ''
  const { form } = useCreateDialog({
    create: (keyOf) => {
      const { prompt, ...rest } = nonEmpty(draft)
      if (source) {
        const request = { ...source.ref, ...rest, visibility }
        return projectsApi.templates.start(request, { idempotencyKey: keyOf(request) })
      }
      const request = { ...rest, ...(prompt && { prompt }), visibility }
      return api.projects.create(request, { idempotencyKey: keyOf(request) })
    },
    onCreated: async (project) => {
      const refreshed = refreshProjects()
      if (isAutoNamed && project.name === UNTITLED) toast(NOT_NAMED)
      if (returnTo) {
        // The page that sent the user here asks for their projects.
        await refreshed
        return close()
      }
      await navigate({ to: '/projects/$ref', params: { ref: projectRef(project) } })
    },
    onClose: close,
  })
  return (
    <FormDialog
      size="normal"
      title="New project"
      action={isAutoNamed ? t`Create and generate name` : t`Create project`}
      {...form}
    >
      <StartingPoint
        value={start}
        onChange={(next) =>
          void navigate({
            to: '/projects/new',
            search: { ...search, start: next || undefined, returnTo },
            replace: true,
          })
        }
      />
      <div className="flex gap-12">
        <EmojiField value={draft.emoji} onChange={(emoji) => update({ emoji })} />
        <div className="min-w-0 flex-1">
          <TextField
            // Drops the message that the name is missing once the description can replace it.
            key={String(draft.description.trim() === '')}
            label="Name"
            placeholder={source?.name ?? (isAutoNamed ? t`Generated from the description` : t`Launch plan`)}
            limit={255}
            required={!source && !isAutoNamed}
            data-missing={t`Enter a name, or a description to generate one from.`}
            autoComplete="off"
            data-autofocus
            value={draft.name}
            onChange={(event) => update({ name: event.target.value })}
          />
        </div>
      </div>
      <TextArea
        label="Description"
        hint={source ? undefined : t`Leave the name empty to generate one from the description.`}
        limit={5000}
        rows={3}
        value={draft.description}
        onKeyDown={submitOnModEnter}
        onChange={(event) => update({ description: event.target.value })}
      />
      <Select
        label="Visibility"
        hint={VISIBILITIES[visibility].description}
        value={visibility}
        onChange={(event) => setVisibility(asVisibility(event.target.value) ?? 'team')}
      >
        {VISIBILITY_NAMES.map((name) => (
          <option key={name} value={name}>
            {VISIBILITIES[name].label}
          </option>
        ))}
      </Select>
      {!source && <Instructions prompt={draft.prompt} onChange={(prompt) => update({ prompt })} />}
    </FormDialog>
  )
}

const nonEmpty = (draft: Draft): Partial<Draft> =>
  Object.fromEntries(Object.entries(draft).filter(([, text]) => text.trim() !== ''))

type Draft = Record<'name' | 'emoji' | 'description' | 'prompt', string>

function Instructions({ prompt, onChange }: { prompt: string; onChange: (prompt: string) => void }) {
  return (
    <details className="group">
      <summary className="flex items-center gap-4 text-13 text-neutral-11 hover:text-neutral-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
        Instructions for agents
      </summary>
      <div className="mt-8">
        <TextArea
          label="Instructions"
          hint="Agents read this before every run."
          limit={12_000}
          rows={5}
          value={prompt}
          onKeyDown={submitOnModEnter}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </details>
  )
}

const TEMPLATE = /^template:(.+)$/
const PROJECT = /^project:(.+)$/

/** Undefined for an empty canvas or a nonexistent template. */
function useStartingPoint(start: string) {
  const template = useTemplates().find(({ id }) => id === TEMPLATE.exec(start)?.[1])
  const project = useProject(start)
  if (template) return { name: template.name, ref: { template: template.id } }
  return project && { name: project.name, ref: { projectId: project.id } }
}

const useTemplates = (): Template[] => useQuery(templatesQuery).data?.items ?? []

function useProject(start: string) {
  const id = PROJECT.exec(start)?.[1]
  return useQuery({ ...projectQuery(id ?? ''), enabled: id !== undefined }).data
}

interface StartingPointProps {
  value: string
  onChange: (value: string) => void
}

function StartingPoint({ value, onChange }: StartingPointProps) {
  const templates = useTemplates()
  const project = useProject(value)
  const chosenTemplate = templates.find(({ id }) => `template:${id}` === value)
  const options = (source: Template['source']) =>
    templates
      .filter((template) => template.source === source)
      .map(({ id, name, emoji }) => (
        <option key={id} value={`template:${id}`}>
          {emoji ? `${emoji} ${name}` : name}
        </option>
      ))
  const organizationTemplates = options('organization')
  const frame = 'aspect-[8/5] w-list max-w-full self-center rounded-control border border-neutral-6'
  return (
    <div className="flex flex-col gap-8">
      <Select
        label="Start from"
        hint={
          project
            ? t`Copies the canvas, instructions and tags, but not files or conversations.`
            : (chosenTemplate?.description ?? undefined)
        }
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Empty canvas</option>
        {project && <option value={value}>Canvas from {project.name}</option>}
        {organizationTemplates.length > 0 && (
          <optgroup label="Your organization’s templates">{organizationTemplates}</optgroup>
        )}
        <optgroup label="Templates from Atrium">{options('shipped')}</optgroup>
      </Select>
      {chosenTemplate && <CanvasPreview shapes={chosenTemplate.shapes} className={frame} />}
      {project && <ProjectPreview project={project} className={frame} />}
    </div>
  )
}
