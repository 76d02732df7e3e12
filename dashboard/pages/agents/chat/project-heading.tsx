import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectQuery, projectRef } from '../../../api/projects.ts'
import { Name } from '../../../components/name.tsx'

/** The name of a project, which leads to its canvas. */
export function ProjectHeading({ id }: { id: string }) {
  const { data } = useQuery(projectQuery(id))
  return (
    <h3 className="h-24 truncate px-8 font-medium text-12 text-neutral-11">
      {data ? (
        <Link to="/projects/$ref" params={{ ref: projectRef(data) }} className="hover:text-neutral-12">
          {data.emoji && `${data.emoji} `}
          <Name>{data.name}</Name>
        </Link>
      ) : (
        ' '
      )}
    </h3>
  )
}
