import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import type { ProjectsSearch } from './projects-search.ts'

/** Keeps the filters in the URL, so that closing the dialog restores the list. */
export function NewProjectLink({ search }: { search: ProjectsSearch }) {
  return (
    <Link to="/projects/new" search={search} className={buttonClass('primary')}>
      <Plus aria-hidden className="icon" />
      New project
    </Link>
  )
}
