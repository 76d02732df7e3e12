import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { projectRef } from '../../api/projects.ts'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { ProjectPreview } from '../projects/projects/project-preview.tsx'
import type { Home } from './home-query.ts'
import { CARD, HomeSection } from './section.tsx'

const SHOWN_MAX = 4

export function ProjectCards({ projects }: { projects: Home['projects'] }) {
  if (projects.length === 0) return null
  return (
    <HomeSection title={t`Projects`} end={<Link to="/projects">All projects</Link>}>
      <ul className="grid grid-cols-2 gap-12">
        {projects.slice(0, SHOWN_MAX).map((project) => (
          <li key={project.id} className={`${CARD} relative hover:shadow-raised`}>
            <ProjectPreview project={project} className="h-[72px] w-full border-neutral-6 border-b" />
            <div className="px-12 py-8">
              <p className="flex items-center gap-4 text-13">
                <Link
                  to="/projects/$ref"
                  params={{ ref: projectRef(project) }}
                  data-row-link={project.id}
                  className="row-link min-w-0 truncate font-medium outline-none"
                >
                  {project.emoji && <span aria-hidden>{project.emoji} </span>}
                  <Name>{project.name}</Name>
                </Link>
                {project.visibility === 'private' && (
                  <Lock role="img" aria-label={t`Private`} className="size-12 shrink-0 text-neutral-10" />
                )}
              </p>
              <p className="truncate text-12 text-neutral-11">
                <Time at={project.lastActivityAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
