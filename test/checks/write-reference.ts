import { generatedReference, generatedSnapshots, generatedTypes, write } from './generated.js';

// Run by `npm run docs`: the snapshot of every tool, docs/reference, and the types of the command line's calls.
write(await generatedSnapshots());
write(await generatedReference());
write(await generatedTypes());
