import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import type { ProjectsSearch } from './projects-search.ts'

/** Keeps the filters in the URL, so that closing the dialog restores the list. Viewers of the workspace do not see it. */
export function NewProjectLink({ search }: { search: ProjectsSearch }) {
  const canCreate = useCanCreateProjects()
  if (!canCreate) return null
  return (
    <Link to="/projects/new" search={search} className={buttonClass('primary')}>
      <Plus aria-hidden className="icon" />
      New project
    </Link>
  )
}
