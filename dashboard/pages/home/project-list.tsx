import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { projectRef } from '../../api/projects.ts'
import { Block } from '../../components/layout/block.tsx'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import type { Home } from './home-query.ts'

/** The projects that the user opened or changed last. */
export function ProjectList({ projects }: { projects: Home['projects'] }) {
  if (projects.length === 0) return null
  return (
    <Block title="Your projects" headingEnd={<Link to="/projects">All projects</Link>}>
      <ul>
        {projects.map((project) => (
          <li
            key={project.id}
            className="relative flex h-row items-center gap-12 border-neutral-6 border-b text-13 hover:bg-neutral-2 has-[:focus-visible]:bg-neutral-3"
          >
            <Link
              to="/projects/$ref"
              params={{ ref: projectRef(project) }}
              data-row-link={project.id}
              className="row-link min-w-0 flex-1 truncate pl-4 outline-none"
            >
              {project.emoji && <span aria-hidden>{project.emoji} </span>}
              <Name>{project.name}</Name>
            </Link>
            {project.visibility === 'private' && (
              <Lock role="img" aria-label="Private" className="icon text-neutral-10" />
            )}
            <span className="pr-4 text-12 text-neutral-11 tabular-nums">
              <Time at={project.lastActivityAt} />
            </span>
          </li>
        ))}
      </ul>
    </Block>
  )
}
