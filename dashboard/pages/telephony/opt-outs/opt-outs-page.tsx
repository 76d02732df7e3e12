export default function OptOutsPage() { return <p>{document.title}OptOutsPage</p> }
