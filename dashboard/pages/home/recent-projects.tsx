import { Link } from '@tanstack/react-router'
import { type Project, projectRef } from '../../api/projects.ts'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { Block, BlockRow } from './block.tsx'

export function RecentProjects({ projects }: { projects: Project[] }) {
  return (
    <Block title="Recent projects" all={<Link to="/projects">All projects</Link>}>
      {projects.map((project) => (
        <BlockRow
          key={project.id}
          link={
            <Link to="/projects/$ref" params={{ ref: projectRef(project) }} data-row-link={project.id}>
              {project.emoji && <span aria-hidden>{project.emoji} </span>}
              <Name>{project.name}</Name>
            </Link>
          }
          when={<Time at={project.lastActivityAt} />}
        />
      ))}
    </Block>
  )
}
