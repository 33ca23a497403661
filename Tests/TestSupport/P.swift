package enum RepositoryRoot {}
