import { Link } from '@tanstack/react-router'

/** The runs of agents in one project. */
export const RunsLink = ({ projectId }: { projectId: string }) => (
  <Link to="/runs" search={{ project: projectId }} className="underline hover:text-neutral-12">
    Runs of this project
  </Link>
)
