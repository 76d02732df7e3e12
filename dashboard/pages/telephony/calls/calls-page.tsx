export default function CallsPage() { return <p>{document.title}CallsPage</p> }
