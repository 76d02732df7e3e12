import { Link } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'

export const ProjectLink = ({ projectId }: { projectId: string }) => (
  <Link
    to="/projects/$ref"
    params={{ ref: projectId }}
    draggable={false}
    className="relative inline-flex shrink-0 items-center gap-4 rounded-control px-4 text-12 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12"
  >
    <Shapes aria-hidden className="size-12" />
    Open project
  </Link>
)
