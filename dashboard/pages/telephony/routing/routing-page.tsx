export default function RoutingPage() { return <p>{document.title}RoutingPage</p> }
