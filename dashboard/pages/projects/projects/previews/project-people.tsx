import { useQuery } from '@tanstack/react-query'
import { previewQuery } from '../../../../api/projects/previews.ts'
import type { Project } from '../../../../api/projects.ts'
import { Avatars } from '../../../../components/avatar.tsx'

/** The creator of a project and the other people who work on its canvas. */
export function ProjectPeople({ project }: { project: Project }) {
  const { data } = useQuery(previewQuery(project))
  if (!data) return null
  return <Avatars label="People" people={[data.owner, ...data.people]} />
}
