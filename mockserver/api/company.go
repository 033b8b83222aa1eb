package api

import (
	"net/http"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func companyRoutes() []*route {
	const tag, ref = "Companies", "companyReferenceId"
	create := when(row("createCompany", http.MethodPost, "/Company/Create", does((*world.World).CreateCompany), world.NewCompany{}, world.CompanyCreated{}).
		About(tag, "Register a company and start its verification").From("Endpoints, Company/Create").
		Again("A repeat is refused: a companyReferenceId is given once."), latitude.DuplicateReferenceConflict, http.StatusConflict)
	create.Detailed = true
	return []*route{
		create,
		row("listCompanies", http.MethodGet, "/Company/List", gives(listCompanies), nil, world.CompanyList{}).
			About(tag, "List all companies of the integration").From("Endpoints, Company/List"),
		row("getDefaultCompanyStatus", http.MethodGet, "/company/status", gives(defaultCompanyStatus), nil, world.DefaultCompanyStatus{}).
			About(tag, "Get the verification status of the default company, or of the one named").From("Endpoints, company/status").
			With(queryParam("companyId", "uuid", "The company that is meant."),
				queryParam("companyReferenceId", "", "The reference of the company that is meant.")).Fails(http.StatusNotFound),
		row("getCompanyStatus", http.MethodGet, "/Company/{companyReferenceId}/Status",
			reads(ref, (*world.World).CompanyStatus), nil, world.CompanyStatus{}).
			About(tag, "Get a company's verification status").From("Endpoints, Company/Status").With(companyRef),
		row("addLocation", http.MethodPost, "/Company/{companyReferenceId}/Locations",
			doesFor(ref, (*world.World).AddLocation), world.NewLocation{}, world.LocationCreated{}).
			About(tag, "Add a location to a company").From("Endpoints, Company/Locations").With(companyRef).
			Again("Not to be repeated unseen: read GET …/Locations first."),
		row("listLocations", http.MethodGet, "/Company/{companyReferenceId}/Locations",
			reads(ref, (*world.World).ListLocations), nil, world.LocationList{}).
			About(tag, "List a company's locations").From("Endpoints, Company/Locations").With(companyRef),
		row("createExternalAuthLink", http.MethodPost, "/Company/{companyReferenceId}/ExternalAuthLink",
			doesFor(ref, (*world.World).CreateExternalAuthLink), world.NewExternalAuthLink{}, world.ExternalAuthLink{}).
			About(tag, "Get a one-time link with which a company connects its bank account").
			From("Endpoints, Company/ExternalAuthLink").With(companyRef).
			Again("May be repeated: each answer is another link, and every unused one stays good."),
	}
}

func listCompanies(w *world.World, _ *exchange) (world.CompanyList, error) {
	return w.ListCompanies(), nil
}

func defaultCompanyStatus(w *world.World, x *exchange) (world.DefaultCompanyStatus, error) {
	return w.DefaultCompanyStatus(x.arg("companyId"), x.arg("companyReferenceId"))
}
