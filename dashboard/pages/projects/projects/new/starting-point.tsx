import { useQuery } from '@tanstack/react-query'
import { type Template, templatesQuery } from '../../../../api/projects/templates.ts'
import { projectQuery } from '../../../../api/projects.ts'
import { Select } from '../../../../components/forms/select.tsx'
import { CanvasPreview, ProjectPreview } from '../previews/canvas-preview.tsx'

const TEMPLATE = /^template:(.+)$/
const PROJECT = /^project:(.+)$/

/** The source of a new project; undefined for an empty canvas, and for a template that does not exist. */
export function useStartingPoint(start: string) {
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

/** Chooses an empty canvas, a template, or the canvas of the project from whose menu the dialog was opened. */
export function StartingPoint({ value, onChange }: StartingPointProps) {
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
            ? 'Copies the canvas, the instructions and the tags, without files and conversations.'
            : (chosenTemplate?.description ?? undefined)
        }
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Empty canvas</option>
        {project && <option value={value}>Canvas of {project.name}</option>}
        {organizationTemplates.length > 0 && (
          <optgroup label="Templates of your organization">{organizationTemplates}</optgroup>
        )}
        <optgroup label="Templates from Atrium">{options('shipped')}</optgroup>
      </Select>
      {chosenTemplate && <CanvasPreview shapes={chosenTemplate.shapes} className={frame} />}
      {project && <ProjectPreview project={project} className={frame} />}
    </div>
  )
}
