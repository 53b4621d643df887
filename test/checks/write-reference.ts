import {
  generatedKernels,
  generatedReference,
  generatedSnapshots,
  generatedTypes,
  write,
} from './generated.js';

// Run by `npm run docs`: the snapshot of every tool, docs/reference, the types of the command line's calls, and
// the kernels of search.
write(await generatedSnapshots());
write(await generatedReference());
write(await generatedTypes());
write(await generatedKernels());
